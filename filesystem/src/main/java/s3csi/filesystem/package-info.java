/**
 * A bucket with the semantics of a file system: inodes, reads, writes, caches, and one memory budget for all of them.
 *
 * <p>{@code inode} knows names and versions, {@code read} the way of bytes to the kernel, {@code write} the way of bytes to the
 * store, {@code memory} the buffers that both use, {@code cache} the copies on a local disk.
 */
@NullMarked
package s3csi.filesystem;

import org.jspecify.annotations.NullMarked;
