package s3csi.s3.client;

import java.time.Duration;

/** One time in which the store is away. Guarded by the lock of its {@link StoreGate}. */
final class Outage {
    /** Shorter ones are a hiccup; a busy store has many, and the log has better uses. */
    private static final Duration WORTH_SAYING = Duration.ofSeconds(1);

    private final long since;
    private AttemptFailure failure;
    private long nextProbe;
    private int failedProbes;
    private long endedProbes;
    private int waited;
    private boolean isSaid;
    private boolean isGivenUp;

    Outage(long now, AttemptFailure failure) {
        this.since = now;
        this.nextProbe = now;
        this.failure = failure;
    }

    long since() {
        return since;
    }

    Duration length(long now) {
        return Duration.ofNanos(now - since);
    }

    /** Why the last attempt failed. */
    AttemptFailure failure() {
        return failure;
    }

    /** An attempt failed that was under way when the store went. */
    void goesOn(AttemptFailure newest) {
        failure = newest;
    }

    /** A probe failed, so the next one comes later. */
    void goesOn(AttemptFailure newest, long now, RetryDelay pace) {
        failure = newest;
        nextProbe = now + pace.after(++failedProbes).toNanos();
    }

    /** Nanoseconds to the next probe; none or fewer if it is due. */
    long untilProbe(long now) {
        return nextProbe - now;
    }

    /** A probe has ended, whichever way. */
    void probeEnded() {
        endedProbes++;
    }

    long endedProbes() {
        return endedProbes;
    }

    /** One more request waits. */
    void isWaitedFor() {
        waited++;
    }

    int waited() {
        return waited;
    }

    /** Whether it is time to say that the store is away; only once. */
    boolean isToBeSaid(Duration withoutAnswer) {
        boolean first = !isSaid && withoutAnswer.compareTo(WORTH_SAYING) >= 0;
        isSaid |= first;
        return first;
    }

    boolean isSaid() {
        return isSaid;
    }

    /** Whether it is time to say that requests do not wait any longer; only once. */
    boolean isToBeGivenUp() {
        boolean first = !isGivenUp;
        isGivenUp = true;
        return first;
    }

    @Override
    public String toString() {
        return "away: " + failure.reason();
    }
}
