/**
 * Copies of object data on a local disk: blocks of 1 MiB that outlive the process.
 *
 * <p>A block is known by bucket, key, ETag and number, so it can never be stale. It is a file with a checksum over its header and its data,
 * written beside its place and renamed into it. The index is in memory of the pool, off the heap, in order of use, and is built again from the directory in
 * the background at start.
 *
 * <p><b>Nothing here fails a read.</b> A disk that is full, read-only, gone or wrong makes misses; after some failures in a row the cache
 * rests for a while.
 *
 * <p><b>Threads.</b> File I/O blocks its thread, so the cache has platform threads of its own: some that read, one that writes, builds the index and
 * removes. Reading a block waits for such a thread and is for virtual threads; everything else returns at once.
 *
 * <p><b>Memory.</b> Blocks are read into buffers of the caller. Blocks to be written hold references to buffers of the pool until
 * they are written; what would hold too many is not written at all.
 *
 * <p><b>Locks.</b> The index has one, with only that of the pool below it, held for some instructions. {@code s3csi.filesystem.read} may call
 * {@code isStored} under the lock of a reader, nothing else.
 */
@NullMarked
package s3csi.filesystem.cache;

import org.jspecify.annotations.NullMarked;
