package s3csi.s3.credentials;

import java.time.Duration;
import java.time.Instant;

/**
 * Keys in use, and when to do what about them.
 *
 * @param obtained when the source gave them
 * @param due when they are to be renewed
 * @param isRefused whether the store did not accept them: then they are used again only if no others can be had
 * @param peaceUntil they cannot be refused before: the source has just been asked, and has no others
 */
record HeldKeys(Credentials credentials, Instant obtained, Instant due, boolean isRefused, Instant peaceUntil) {
    /** How long before their end keys are renewed. */
    static final Duration AHEAD = Duration.ofMinutes(5);

    /** How long a source is not asked again that has just given nothing new. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    static HeldKeys obtained(Credentials credentials, Instant now) {
        return new HeldKeys(credentials, now, due(credentials, now), false, Instant.MIN);
    }

    /**
     * Keys that last for less than twice the usual time are renewed when half of theirs has passed, not with every request; and
     * whatever a service says, or a clock that is not its own: what it gave just now is good for a moment.
     */
    private static Instant due(Credentials credentials, Instant now) {
        if (!(credentials instanceof Credentials.Keys keys) || keys.expiry() == null) {
            return Instant.MAX;
        }
        Duration half = Duration.between(now, keys.expiry()).dividedBy(2);
        return later(keys.expiry().minus(half.compareTo(AHEAD) < 0 ? half : AHEAD), now.plus(PAUSE));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }

    /** The source has no others: these stay in use, and it is not asked again for a while. */
    HeldKeys leftInPeace(Instant now) {
        Instant until = now.plus(PAUSE);
        return new HeldKeys(credentials, obtained, later(due, until), false, until);
    }

    HeldKeys refused() {
        return new HeldKeys(credentials, obtained, due, true, peaceUntil);
    }

    /**
     * Whether there is a point in asking for others.
     *
     * @param onlyIfOld for a mere suspicion, which has no effect on keys that have just come
     */
    boolean mayBeRefused(Instant now, boolean onlyIfOld) {
        return !now.isBefore(peaceUntil) && (!onlyIfOld || !now.isBefore(obtained.plus(PAUSE)));
    }

    boolean isDue(Instant now) {
        return isRefused || !now.isBefore(due) || hasEnded(now);
    }

    boolean isUsable(Instant now) {
        return !isRefused && !hasEnded(now);
    }

    boolean hasEnded(Instant now) {
        return credentials instanceof Credentials.Keys keys
                && keys.expiry() != null
                && !now.isBefore(later(keys.expiry(), obtained.plus(PAUSE)));
    }
}
