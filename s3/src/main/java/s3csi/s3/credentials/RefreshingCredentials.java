package s3csi.s3.credentials;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps keys that are costly to get and end at a time. They are renewed some minutes ahead, by one thread while the others go on
 * with the old ones; when the renewal fails, the old ones stay in use until they really end.
 */
public final class RefreshingCredentials implements CredentialsSource {
    /** How long before their end keys are renewed. */
    static final Duration AHEAD = Duration.ofMinutes(5);

    /** How long a failed renewal is not repeated while the old keys still work. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(RefreshingCredentials.class);

    private final CredentialsSource source;
    private final Clock clock;
    private final ReentrantLock renewal = new ReentrantLock();
    private volatile @Nullable State state;

    private record State(Credentials credentials, Instant due) {
        boolean isUsable(Instant now) {
            return !(credentials instanceof Credentials.Keys keys) || !keys.isExpired(now);
        }
    }

    public RefreshingCredentials(CredentialsSource source, Clock clock) {
        this(source, clock, null);
    }

    /**
     * A source in place of another one.
     *
     * @param former what the other one gave last: in use until it ends, while this one gives nothing
     */
    RefreshingCredentials(CredentialsSource source, Clock clock, @Nullable Credentials former) {
        this.source = source;
        this.clock = clock;
        this.state = former == null ? null : new State(former, Instant.MIN);
    }

    /** What is in use, if it ends by itself; null otherwise. */
    @Nullable
    Credentials passing() {
        State known = state;
        return known != null && known.credentials instanceof Credentials.Keys keys && keys.expiry() != null
                ? keys
                : null;
    }

    @Override
    public Credentials current() throws CredentialsException {
        State known = state;
        Instant now = clock.instant();
        if (known != null && now.isBefore(known.due)) {
            return known.credentials;
        }
        if (known != null && known.isUsable(now)) {
            return renewal.tryLock() ? renewLocked(now) : known.credentials;
        }
        lock();
        return renewLocked(now);
    }

    private void lock() throws CredentialsException {
        try {
            renewal.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CredentialsException("interrupted while waiting for credentials", e);
        }
    }

    /** With the lock held, which it gives back. */
    private Credentials renewLocked(Instant now) throws CredentialsException {
        try {
            State known = state;
            if (known != null && now.isBefore(known.due)) {
                return known.credentials;
            }
            try {
                Credentials fresh = source.current();
                state = new State(fresh, due(fresh));
                return fresh;
            } catch (CredentialsException e) {
                if (known == null || !known.isUsable(now)) {
                    throw e;
                }
                LOG.warn("credentials cannot be renewed; the old ones stay in use until they end: {}", e.getMessage());
                state = new State(known.credentials, now.plus(PAUSE));
                return known.credentials;
            }
        } finally {
            renewal.unlock();
        }
    }

    private static Instant due(Credentials credentials) {
        return credentials instanceof Credentials.Keys keys && keys.expiry() != null
                ? keys.expiry().minus(AHEAD)
                : Instant.MAX;
    }

    @Override
    public void rejected(Credentials credentials) {
        source.rejected(credentials);
        renewal.lock();
        try {
            State known = state;
            if (known != null && known.credentials.equals(credentials)) {
                state = new State(credentials, Instant.MIN);
            }
        } finally {
            renewal.unlock();
        }
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
