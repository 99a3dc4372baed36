package s3csi.fuse.session;

import s3csi.fuse.Operation;
import s3csi.fuse.wire.ReplyBytes;
import s3csi.linux.Errno;

/** What every answer of a session needs: the device to write to, and who counts and hears of it. */
final class Connection {
    /** As many as a store answers at a time, and more; a look at a name takes 8 KB of the heap. */
    private static final int MOST_ANSWERED = 512;

    final Device device;
    final SessionEvents events;
    final Outboxes outboxes = new Outboxes();
    final Counters counters = new Counters();
    final PendingRequests pending = new PendingRequests();
    final AnswerThreads threads = new AnswerThreads(MOST_ANSWERED);
    /** The protocol minor in use; set before any request but INIT is handled. */
    volatile int minor;

    Connection(Device device, SessionEvents events) {
        this.device = device;
        this.events = events;
    }

    /** Sends what is in the outbox and says whether somebody still waited for it. */
    boolean send(Outbox box, Operation operation, long node, int error, long unique) {
        ReplyBytes.header(box.fixed, box.vector.bytes(), error, unique);
        int result = device.write(box.vector);
        if (result == 0) {
            return true;
        }
        if (!isGone(-result)) {
            events.answerRefused(operation, node, -result);
            if (error == 0) {
                // Most refused answers end the request with EIO in the kernel; where not, this ends it.
                box.begin();
                ReplyBytes.header(box.fixed, box.vector.bytes(), -Errno.EIO, unique);
                device.write(box.vector);
            }
        }
        return false;
    }

    /** Whether the error only says that no process waits any more: the connection ended, or it was killed before. */
    private static boolean isGone(int errno) {
        return errno == Errno.ENOENT
                || errno == Errno.ENODEV
                || errno == Errno.ECONNABORTED
                || errno == Errno.ENOTCONN
                || errno == Errno.EPERM;
    }

    /** Counts and reports a fault of a handler. */
    void handlerFailed(Operation operation, long node, Throwable cause) {
        counters.handlerFailures.increment();
        try {
            events.handlerFailed(operation, node, cause);
        } catch (RuntimeException | Error e) {
            // Who reports must not break what it reports on, also where memory ran out; the failure itself is counted.
            counters.handlerFailures.increment();
        }
    }

    /** Counts an answer and tells of it. */
    void answered(Answer answer, long bytes, int errno) {
        if (answer.operation == Operation.INTERRUPT) {
            // Its answer is a question to the kernel, not a result.
            return;
        }
        if (errno != 0) {
            counters.errors.increment();
        }
        try {
            long nanos = System.nanoTime() - answer.began;
            events.answered(answer.operation, nanos, bytes, errno);
            if (events.wantsDetails()) {
                events.detailed(answer.details(bytes, nanos, errno));
            }
        } catch (RuntimeException e) {
            counters.handlerFailures.increment();
        }
    }
}
