/**
 * The way of bytes from the kernel to the store.
 *
 * <p>A {@link s3csi.filesystem.write.WriteHandle} is one open of a file for writing. Its {@link s3csi.filesystem.write.FileUpload} takes the bytes in order
 * and leads the file through the states of its life, which {@link s3csi.filesystem.write.FileState} lists:
 * a file of at most one part is stored by one PUT, a larger one by a {@link s3csi.filesystem.write.MultipartUpload} that sends parts while further bytes
 * come. A file can be stored several times while it is open, by each close of a duplicate or fsync: writing goes on from memory
 * while all of it is there, else from a server-side copy of what was stored.
 *
 * <p><b>Order.</b> Bytes come at the end of the file or not at all. Only pieces of one asynchronous write, which the kernel sends at the same
 * time, wait for those before them.
 *
 * <p><b>Failure.</b> Once a write, close or fsync of a handle has failed, every later one fails with the same error, and nothing more of
 * it is stored: a program that does not look at what a write returns hears of it at close, and half a file never looks like a
 * whole one. What was stored before, by an earlier close or fsync, stays. Only an interrupted call is no failure: it says how many
 * bytes were taken, or none, and can be repeated.
 *
 * <p><b>Ownership.</b> Bytes that were accepted lie in a {@link s3csi.filesystem.memory.PartBuffer}, which belongs to the upload until it is
 * handed to the thread that sends it, and to that thread from then on. Every multipart upload that was begun is completed or
 * aborted by whoever began it; {@link s3csi.filesystem.write.Uploads} knows all of them for the end of the mount. Should the process be killed, its successor aborts them
 * where there are {@link s3csi.filesystem.write.UploadNotes}.
 *
 * <p><b>Memory.</b> A file has a claim ({@link s3csi.filesystem.write.WriterSlots}) before it takes memory for the part it fills, and gives
 * it back when the part is sent. So any number of files can be written at once, in turns. Files that are open and not written
 * to keep their bytes and their claim: when there are so many of them that nobody else gets a turn for 30 seconds, a write fails with ENOMEM.
 * One thread that writes to more large files than there are parts waits for itself like that; docs/decisions tells why that stays so.
 *
 * <p><b>Threads.</b> Device threads only try: they take bytes while memory is there and the lock of the handle is free. Everything that waits
 * runs on virtual threads: each part, each completion, each abort has its own. Completing is not interrupted when a program
 * gives up waiting for it, because half a close is worse than a slow one.
 *
 * <p><b>Lock order.</b> The lock of a handle, which is held across requests to the store; then the lock of the rules for opening; then the
 * monitor of a multipart upload or of the inode table. Only the first is held while the store is waited for.
 */
@NullMarked
package s3csi.filesystem.write;

import org.jspecify.annotations.NullMarked;
