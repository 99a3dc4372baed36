/**
 * The CSI Node service: volumes get to workloads and away again.
 *
 * <p>{@code NodeService} reads a request field by field, keeps other calls off its target ({@code InFlight}), asks a
 * {@code Mounter} for the volume's source and binds it to the target ({@code BindMounts}). {@code SourceMount} makes a source: it opens
 * the FUSE device, mounts, hands the descriptor and the options over to an engine ({@code HandOver}) and waits until the engine serves
 * or says why not. {@code ProcessMounter} runs engines as child processes.
 *
 * <p><b>Truth</b> is on disk and in the mount table, never in memory: a driver that was killed at any step finds out by looking, and
 * whoever calls next finishes or takes back what it left.
 *
 * <p><b>Locks.</b> First the target (a second call is turned away), then its source (a second call waits, and not longer than its
 * deadline). Binding happens with the source's lock held, so that no source ends while somebody is about to refer to it.
 *
 * <p><b>Threads.</b> What may wait for an engine runs on a platform thread that may be lost ({@code BoundedCalls}); the call itself
 * never waits longer than its deadline.
 */
@NullMarked
package s3csi.driver.node;

import org.jspecify.annotations.NullMarked;
