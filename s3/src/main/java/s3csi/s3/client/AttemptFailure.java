package s3csi.s3.client;

import org.jspecify.annotations.Nullable;
import s3csi.s3.StoreFailure;

/** An attempt failed; the runner decides whether there is another. Without a stack trace: it never leaves this package. */
final class AttemptFailure extends Exception {
    /** What can be done about it. */
    enum Remedy {
        NONE,
        /** Something happened to this very request: send it again. */
        RETRY,
        /** Connections break or bring no answer, so the store may be away: send it again. */
        UNREACHED,
        /** The store says that it cannot serve now: send it again. */
        BUSY,
        CORRECT_CLOCK,
        RENEW_CREDENTIALS,
        /** Refused without a reason, as every HEAD is: perhaps because of the credentials. */
        SUSPECT_CREDENTIALS,
        SWITCH_REGION
    }

    private final StoreFailure failure;
    private final Remedy remedy;
    private final ErrorAnswer answer;
    private final boolean wasResent;

    AttemptFailure(StoreFailure failure, Remedy remedy, ErrorAnswer answer, String reason, @Nullable Throwable cause) {
        this(failure, remedy, answer, reason, cause, false);
    }

    private AttemptFailure(
            StoreFailure failure,
            Remedy remedy,
            ErrorAnswer answer,
            String reason,
            @Nullable Throwable cause,
            boolean wasResent) {
        super(reason, cause, false, false);
        this.failure = failure;
        this.remedy = remedy;
        this.answer = answer;
        this.wasResent = wasResent;
    }

    static AttemptFailure integrity(String reason) {
        return new AttemptFailure(new StoreFailure.Integrity(), Remedy.NONE, ErrorAnswer.NONE, reason, null);
    }

    /** The same, of a request that was sent twice: first on a kept connection that broke without an answer. */
    AttemptFailure afterResend() {
        return new AttemptFailure(failure, remedy, answer, reason(), getCause(), true);
    }

    /** The same, with something to add, and final. */
    AttemptFailure becauseOf(String more) {
        return new AttemptFailure(failure, Remedy.NONE, answer, reason() + "; " + more, getCause(), wasResent);
    }

    /** Whether the request may have taken effect all the same: there was no answer, or none that tells. */
    boolean leavesDoubt() {
        return switch (remedy) {
            case UNREACHED, BUSY -> true;
            case NONE, RETRY, CORRECT_CLOCK, RENEW_CREDENTIALS, SUSPECT_CREDENTIALS, SWITCH_REGION ->
                wasResent
                        || failure instanceof StoreFailure.Protocol
                        || failure instanceof StoreFailure.Timeout
                        // The store has codes for what it did not do; whoever stands before it has none.
                        || (failure instanceof StoreFailure.ServerError
                                && answer.code().isEmpty());
        };
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
