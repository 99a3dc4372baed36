/**
 * {@code scality-s3-csi-mounter}: the engine of one volume, beside a node service that mounts for it, in a pod or in a process of its
 * own.
 *
 * <p>The node service opens the FUSE device, mounts, and hands the descriptor over with the options: {@link
 * s3csi.mounter.node.MountListener} takes it, {@link s3csi.mounter.node.VolumeEngine} serves it in this very process. There is no answer on the
 * socket. That the mount answers means success; a file {@code mount.err} in the comm directory says what went wrong, by a word that the
 * node service understands and in plain words for people. After that the mounter waits for the next try.
 *
 * <p>What the process ends with is for whoever starts it again: 0 means that nobody needs it any more, which only {@code mount.exit} can
 * say; anything else means that it should run again. SIGTERM ends it only as long as it serves nothing: a pod is told to stop before the
 * workloads that use its mount are.
 *
 * <p>Nothing here needs a privilege. Who may talk to it is decided by what the kernel says about the peer; the environment of the mount
 * is what the node service sent, never that of the process.
 */
@NullMarked
package s3csi.mounter.node;

import org.jspecify.annotations.NullMarked;
