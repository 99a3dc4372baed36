package s3csi.fuse;

import s3csi.linux.Errno;

/** Answers a request on a virtual thread: for whatever has to wait. */
public final class Handover {
    private Handover() {}

    /** The work that ends in an answer. */
    @FunctionalInterface
    public interface Work<R extends Reply> {
        void answer(R reply) throws Exception;
    }

    /**
     * Has the work done on a virtual thread and returns at once.
     *
     * <p>Cancelling the request interrupts that thread; if the work then ends with {@link InterruptedException}, the
     * answer is EINTR, which nothing sees. Any other exception is answered with EIO and counted, and so is work that ends without an answer.
     */
    public static <R extends Reply> void toVirtualThread(R reply, Work<R> work) {
        // Every reply is an object that implements the interface it was passed as, and later() keeps that type.
        @SuppressWarnings("unchecked")
        R later = (R) reply.later();
        later.answerBy(() -> run(later, work));
    }

    private static <R extends Reply> void run(R reply, Work<R> work) {
        if (reply.isCancelled()) {
            // It may have come before the thread was started, when interrupting it need not have an effect.
            Thread.currentThread().interrupt();
        }
        try {
            work.answer(reply);
            if (!reply.isAnswered()) {
                reply.failed(new IllegalStateException("the work for this request ended without an answer"));
            }
        } catch (InterruptedException e) {
            if (reply.isCancelled()) {
                reply.abandon(Errno.EINTR);
            } else {
                reply.failed(e);
            }
        } catch (Throwable e) {
            fail(reply, e);
        }
    }

    /** Where memory ran out, saying so may fail, too; then once more, as whoever asked waits for an answer. */
    private static void fail(Reply reply, Throwable cause) {
        try {
            reply.failed(cause);
        } catch (OutOfMemoryError e) {
            reply.abandon(Errno.EIO);
        }
    }
}
