package s3csi.s3.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The attempts at a call for as long as patience lasts. While the store is away the {@link StoreGate} says when; a request that fails
 * alone waits by itself.
 */
final class PatientTries implements Tries {
    static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final StoreGate gate;
    private final Visit visit = new Visit();
    private final Limits limits;
    private final RetryDelay backoff;
    private final Sleeper sleeper;
    private int made;
    private boolean isStoreAway;

    /**
     * @param whateverHappens attempts that the user allows; none is a limit by itself
     * @param withoutOutage attempts at a request that is refused again and again by a store that is there
     */
    record Limits(int whateverHappens, int withoutOutage) {}

    PatientTries(StoreGate gate, Limits limits, RetryDelay backoff, Sleeper sleeper) {
        this.gate = gate;
        this.limits = limits;
        this.backoff = backoff;
        this.sleeper = sleeper;
    }

    @Override
    public @Nullable AttemptFailure awaitTurn() throws InterruptedException {
        AttemptFailure refusal = gate.enter(visit);
        if (refusal == null) {
            made++;
        }
        return refusal;
    }

    @Override
    public @Nullable Duration silence() {
        return gate.silence(visit);
    }

    @Override
    public void answered() {
        gate.answered(visit);
    }

    @Override
    public void failed(AttemptFailure failure) {
        switch (failure.remedy()) {
            case UNREACHED, BUSY -> isStoreAway = gate.failed(visit, failure);
            case NONE, RETRY, CORRECT_CLOCK, RENEW_CREDENTIALS, SUSPECT_CREDENTIALS, SWITCH_REGION -> {
                isStoreAway = false;
                if (failure.answer().status() != 0) {
                    gate.answered(visit);
                }
            }
        }
    }

    @Override
    public boolean again(AttemptFailure failure, boolean hasProgressed) throws InterruptedException {
        return switch (failure.remedy()) {
            case UNREACHED -> {
                if (hasProgressed) {
                    made = 0;
                    visit.progressed();
                    yield true;
                }
                yield outwait();
            }
            case BUSY -> outwait();
            case NONE, RETRY, CORRECT_CLOCK, RENEW_CREDENTIALS, SUSPECT_CREDENTIALS, SWITCH_REGION ->
                made < Math.min(limits.withoutOutage, limits.whateverHappens) && pause();
        };
    }

    private boolean outwait() throws InterruptedException {
        if (made >= limits.whateverHappens || gate.isSpent(visit)) {
            return false;
        }
        return isStoreAway || pause();
    }

    private boolean pause() throws InterruptedException {
        sleeper.sleep(backoff.after(made));
        return true;
    }

    @Override
    public void ended() {
        gate.left(visit);
    }

    @Override
    public int made() {
        return made;
    }
}
