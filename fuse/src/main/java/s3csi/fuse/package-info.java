/**
 * FUSE as a file system sees it: the interface to implement, and what goes in and out of it.
 *
 * <p>Three layers that never mix. {@code s3csi.fuse.wire} knows bytes: structures of the protocol at fixed offsets.
 * {@code s3csi.fuse.session} knows the device: threads, buffers, the life of a request. This package knows neither: it is what a
 * file system and its tests need.
 *
 * <p><b>Threads.</b> A session has a few platform threads that read one descriptor and call {@link s3csi.fuse.FileSystem}. They must never
 * wait: not for the network, not for a lock that is held across a wait. What waits is handed over, see
 * {@link s3csi.fuse.Handover}.
 *
 * <p><b>Buffers.</b> A READ is answered from the file system's memory, which must not change until {@code send} returns. The
 * bytes of a WRITE belong to the session and are lent until the handler returns, or until they are closed if kept.
 *
 * <p><b>Never</b> keep a reply without {@code later()}; send an invalidation from a device thread; touch the mount from the
 * process that serves it.
 */
@NullMarked
package s3csi.fuse;

import org.jspecify.annotations.NullMarked;
