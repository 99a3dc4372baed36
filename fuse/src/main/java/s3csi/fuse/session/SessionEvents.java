package s3csi.fuse.session;

import s3csi.fuse.Operation;

/** What whoever runs a session may want to log. Called on the thread where it happens; must not wait or throw. */
public interface SessionEvents {
    /** A handler threw or did not answer; the request was answered EIO and the session goes on. */
    default void handlerFailed(Operation operation, long node, Throwable cause) {}

    /**
     * A request was answered. Called for every one, so it must not allocate.
     *
     * @param nanos from reading the request to its answer
     * @param bytes of the answer without its header: what a READ or a listing carried; of a WRITE, what was taken
     * @param errno 0 if it went well
     */
    default void answered(Operation operation, long nanos, long bytes, int errno) {}

    /** Whether {@link #detailed} is wanted at the moment. Asked for every answer, so it must be cheap and must not allocate. */
    default boolean wantsDetails() {
        return false;
    }

    /** A request was answered, with all that is known of it. */
    default void detailed(AnsweredRequest request) {}

    /** The kernel would not take an answer, which should not happen. */
    default void answerRefused(Operation operation, long node, int errno) {}

    /** A request came that does not keep to the protocol; it was answered EIO. */
    default void malformedRequest(int opcode, String fault) {}
}
