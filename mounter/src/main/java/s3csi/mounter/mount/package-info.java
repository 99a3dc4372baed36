/**
 * Making, serving and ending one mount.
 *
 * <p>{@link s3csi.mounter.mount.ServedMount} owns all of it: store, memory, file system, device, session. It is started in that order and
 * taken down in the reverse one, whether the start fails half-way, the mount goes away, or somebody says stop.
 */
@NullMarked
package s3csi.mounter.mount;

import org.jspecify.annotations.NullMarked;
