/**
 * The loop that keeps Mountpoint Pods and attachments as the decisions of {@link s3csi.reconciler.model} want them.
 *
 * <p>Watches fill the {@link s3csi.reconciler.loop.ClusterCache}; {@link s3csi.reconciler.loop.ClusterEvents} turns each change into the
 * {@link s3csi.reconciler.loop.Subject}s that it is about; threads take those from the {@link s3csi.control.WorkQueue}, never two the
 * same one, and the {@link s3csi.reconciler.loop.Reconciler} looks at the cache, has a decision made, and takes its steps. It does not look at
 * a subject again before the cache shows what it wrote ({@link s3csi.reconciler.loop.SeenWrites}).
 *
 * <p>The cache is all that is read; nothing that is remembered here must outlive the process. Everything is written through
 * {@link s3csi.reconciler.loop.ClusterWrites}, which only the leader may ({@link s3csi.control.Leadership}). The two locks here, of the
 * queue and of the writes that are waited for, are never held together nor while anything is asked of the API server.
 */
@NullMarked
package s3csi.reconciler.loop;

import org.jspecify.annotations.NullMarked;
