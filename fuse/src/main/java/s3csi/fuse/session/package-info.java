/**
 * The device loop and the life of a request.
 *
 * <p><b>A request</b> is read by a device thread into that thread's buffer and handled there ({@link s3csi.fuse.session.DeviceThread}, then
 * {@link s3csi.fuse.session.Dispatcher}). It is answered by the thread's one {@link s3csi.fuse.session.InlineAnswer}, or a
 * {@link s3csi.fuse.session.LaterAnswer} takes its place, is entered in {@link s3csi.fuse.session.PendingRequests} and lives until
 * somebody answers. FORGETs are handled where they are read and leave nothing behind.
 *
 * <p><b>Threads.</b> A fixed number of platform threads read one descriptor; there are no cloned devices, because when the last
 * descriptor of a clone closes, the kernel fails the requests read from it, and a mount could not move to another process. A read
 * blocks in the kernel, which wakes one thread per request; polling would wake all. To stop, a signal takes the threads out of
 * their reads. A thread survives everything its handlers throw and ends only with the session; the last one calls
 * {@code FileSystem.ended}, closes the device, and reports the end. What has to wait is answered by virtual threads, of which some hundred run
 * at a time ({@link s3csi.fuse.session.AnswerThreads}): the requests of programs have no bound, and the heap has one.
 *
 * <p><b>Buffers.</b> Each device thread owns a request buffer and an outbox. Spare request buffers take the place of those that handlers of
 * WRITEs keep; when none is left the bytes are copied, so that a device thread never waits for a handler. Other threads borrow an outbox for
 * the time of one answer. All of it is off-heap memory that the collector frees when the session is forgotten: an answer that comes too late
 * finds its memory.
 *
 * <p><b>Descriptor.</b> The session owns it. An answer that is under way when it is closed keeps the number until it is written, so that
 * no answer can ever land in somebody else's file.
 *
 * <p><b>Locks</b> are held for a few instructions and never two at a time: the lists of free outboxes and spare buffers, the wait for
 * pending requests. No lock is held during a system call or a call of the file system.
 *
 * <p><b>Signals.</b> A process that gets a signal while it waits goes on waiting, and gets the right answer. Only the requests of a process that
 * is being killed are cancelled, as far as it can be seen in {@code /proc} ({@link s3csi.fuse.session.Interrupts}): from a container with process
 * numbers of its own it cannot, and a killed process ends with its answer.
 *
 * <p><b>Never</b> wait on a device thread; fail a request because of an INTERRUPT alone; answer INTERRUPT with ENOSYS (the kernel would never send
 * one again); poll the device.
 */
@NullMarked
package s3csi.fuse.session;

import org.jspecify.annotations.NullMarked;
