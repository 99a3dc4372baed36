package s3csi.s3;

import org.jspecify.annotations.Nullable;

/**
 * A request to the store failed. The message says what failed, why, and where it helps what to do; it never holds a secret.
 * {@link #failure()} is for switches, the rest for logs and events.
 */
public final class StoreException extends Exception {
    private final StoreFailure failure;
    private final StoreOperation operation;
    private final Answer answer;

    public StoreException(StoreFailure failure, StoreOperation operation, Answer answer, String message) {
        this(failure, operation, answer, message, null);
    }

    public StoreException(
            StoreFailure failure, StoreOperation operation, Answer answer, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = failure;
        this.operation = operation;
        this.answer = answer;
    }

    public StoreFailure failure() {
        return failure;
    }

    public StoreOperation operation() {
        return operation;
    }

    public Answer answer() {
        return answer;
    }

    /**
     * What the store said.
     *
     * @param status the HTTP status; 0 when there was no answer
     * @param code S3's error code; empty when there was none
     * @param words what it said beside that; empty when there were none
     * @param requestId what the operators of the store can search for; empty when there was none
     */
    public record Answer(int status, String code, String words, String requestId) {
        public static final Answer NONE = new Answer(0, "", "", "");
    }
}
