/**
 * The way of bytes from the store to the kernel.
 *
 * <p>{@link s3csi.filesystem.read.Readers} is what all open files of a mount share; {@link s3csi.filesystem.read.ObjectReader} is one
 * open file: one version of one object. It keeps a few {@code Cursor}s, the runs of reads through the file, and {@code Fetch}es,
 * the ranges that are in memory or on their way. What no run wants and no read waits for is dropped; who owns what follows from
 * that alone. {@code Plan} decides what to fetch:
 *
 * <ul>
 *   <li>an object no larger than a part: all of it in one GET;
 *   <li>a read that continues no run: exactly its bytes, or as many as runs before it had;
 *   <li>a sequential run: GETs in parallel, aligned, within a window of bandwidth × latency and of its share of the memory.
 * </ul>
 *
 * <p><b>Memory.</b> A fetch has all its memory before it starts, so whoever waits for one waits for the network only. A read for whose
 * fetch there is no memory becomes a {@code LoneRead}, the one place that waits for memory, holding none. Buffers are pinned
 * while they are sent to the kernel.
 *
 * <p><b>Threads.</b> Device threads call {@code readNow}: it never waits and allocates nothing on a hit. Virtual threads call {@code read}. Each
 * GET runs on a virtual thread of its own, or on that of the read if it fetches just what that one waits for. One virtual thread
 * of {@code Readers}, the caretaker, takes memory from files that nobody reads.
 *
 * <p><b>Locks.</b> Each reader has one lock, held for short work, never across a wait or a system call. Under it only the lock of the pool is
 * taken. Nobody holds two readers' locks.
 *
 * <p><b>Failures.</b> A read throws what failed its own fetch, or that of a read it waited with. A failed prefetch fails nobody: its bytes
 * are fetched again when they are read. Bytes that fail a checksum are never kept.
 */
@NullMarked
package s3csi.filesystem.read;

import org.jspecify.annotations.NullMarked;
