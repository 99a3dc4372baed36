/**
 * The bytes of FUSE protocol 7: structures at fixed offsets in host byte order, as the kernel writes and expects them, for minors
 * 6 to 45. Nothing here knows a device, a thread or a file system.
 */
@NullMarked
package s3csi.fuse.wire;

import org.jspecify.annotations.NullMarked;
