package s3csi.fuse;

/**
 * One request of the kernel and the way to answer it, exactly once.
 *
 * <p><b>At once.</b> A handler that has the answer in memory gives it before it returns, on the device thread. The object it was
 * given belongs to that thread and is used again for the next request: do not keep it.
 *
 * <p><b>Later.</b> A handler that must wait calls {@link #later} before it returns. The object it gets is its own, may be
 * answered from any thread, and the one it was given is void. {@link Handover} does that together with a virtual thread.
 *
 * <p>A second answer throws {@link IllegalStateException}, except after {@link #abandon}. A handler that returns without either, or
 * throws, has its request answered with EIO; so does one that is dropped at the end of the session. An answer whose request
 * is gone (unmounted) does nothing.
 */
public interface Reply {
    /** The number of the request. Interrupts name it. */
    long unique();

    /** Whether the request was read before by a process that did not answer it. */
    boolean isResent();

    Operation operation();

    /** The user whose file-system id the request carries. 0 for what the kernel does by itself. */
    int uid();

    int gid();

    /** The process as seen from the mount's namespace: 0 where it is not visible there. Good for logs only. */
    int pid();

    /** Makes this request answerable after the handler has returned. */
    Reply later();

    /** Refuses the request. The number is positive, like {@code Errno.ENOENT}. */
    void error(int errno);

    /** Answers EIO because of a fault of ours, which is counted and reported. Does nothing if there is an answer already. */
    void failed(Throwable cause);

    /**
     * Answers with an error unless there is an answer already, and says whether it did. From then on other answers are dropped in
     * silence: this is for the one who gives up on behalf of work still under way.
     */
    boolean abandon(int errno);

    boolean isAnswered();

    /**
     * Whether the result is wanted no longer: the process that waits is being killed, or the session ends. An answer is still owed: EINTR, or the
     * result if it is near. A signal that does not kill cancels nothing, because programs take an error for the truth about a file.
     */
    boolean isCancelled();

    /**
     * What to do when {@link #isCancelled} becomes true; at once if it is already. Only after {@link #later}, and once. It must not wait, and it
     * must not throw.
     */
    void onCancel(Runnable action);

    /**
     * Runs the work that ends in the answer on a virtual thread, soon or when others have ended; it is interrupted if the request is cancelled.
     * Only after {@link #later}, and once, in place of {@link #onCancel}.
     */
    void answerBy(Runnable work);
}
