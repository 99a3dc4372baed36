/**
 * A bucket with the semantics of a file system: inodes, reads, writes, caches, and one memory budget for all of them.
 *
 * <p>{@code inode} knows names and versions, {@code directory} lists them, {@code read} is the way of bytes to the kernel, {@code write} the way of
 * bytes to the store, {@code memory} has the buffers that both use, {@code cache} the copies on a local disk, {@code failure} what can go
 * wrong. This package puts them together: {@link s3csi.filesystem.OpenBucket} is the only way in, and
 * {@link s3csi.filesystem.S3FileSystem} hands each request to the class for its kind.
 *
 * <p><b>Threads.</b> A request comes on a device thread. What memory can answer is answered there; whatever may wait, for the store, for memory or for
 * a lock that is held across such a wait, is handed to a virtual thread.
 *
 * <p><b>Lock order.</b> The lock of a handle; then that of the rules for opening; then one of those of the inode table, a multipart upload or a
 * page under way; then the pool's. Nobody holds two handles' locks, and no answer is given under a monitor.
 *
 * <p><b>Failures</b> travel as {@link s3csi.filesystem.failure.FileException} and become error numbers in one switch.
 */
@NullMarked
package s3csi.filesystem;

import org.jspecify.annotations.NullMarked;
