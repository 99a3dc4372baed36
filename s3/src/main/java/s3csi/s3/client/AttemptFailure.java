package s3csi.s3.client;

import org.jspecify.annotations.Nullable;
import s3csi.s3.StoreFailure;

/** An attempt failed; the runner decides whether there is another. Without a stack trace: it never leaves this package. */
final class AttemptFailure extends Exception {
    /** What can be done about it. */
    enum Remedy {
        NONE,
        /** Broken connections, timeouts: send it again. */
        RETRY,
        /** The store is busy or broken: send it again. */
        RETRY_BUSY,
        CORRECT_CLOCK,
        RENEW_CREDENTIALS,
        SWITCH_REGION
    }

    private final StoreFailure failure;
    private final Remedy remedy;
    private final ErrorAnswer answer;

    AttemptFailure(StoreFailure failure, Remedy remedy, ErrorAnswer answer, String reason, @Nullable Throwable cause) {
        super(reason, cause, false, false);
        this.failure = failure;
        this.remedy = remedy;
        this.answer = answer;
    }

    static AttemptFailure integrity(String reason) {
        return new AttemptFailure(new StoreFailure.Integrity(), Remedy.NONE, ErrorAnswer.NONE, reason, null);
    }

    StoreFailure failure() {
        return failure;
    }

    Remedy remedy() {
        return remedy;
    }

    ErrorAnswer answer() {
        return answer;
    }

    /** In words, without what was tried. */
    String reason() {
        return String.valueOf(getMessage());
    }
}
