package s3csi.s3.credentials;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps keys that are costly to get and end at a time. One renewal runs at a time, on a thread of its own: ahead of the end of the
 * keys, while everybody goes on with the old ones; or, when there are none or the store refused them, while everybody waits for the
 * same outcome. When it fails, the old ones stay in use until they really end.
 */
public final class RefreshingCredentials implements CredentialsSource {
    private static final Logger LOG = LoggerFactory.getLogger(RefreshingCredentials.class);

    private final CredentialsSource source;
    private final Clock clock;
    private volatile @Nullable HeldKeys held;
    private @Nullable FutureTask<Credentials> renewal;

    public RefreshingCredentials(CredentialsSource source, Clock clock) {
        this(source, clock, null);
    }

    /**
     * A source in place of another one.
     *
     * @param former what the other one gave last: in use until it ends, if this one gives nothing
     */
    RefreshingCredentials(CredentialsSource source, Clock clock, @Nullable Credentials former) {
        this.source = source;
        this.clock = clock;
        this.held = former == null
                ? null
                : HeldKeys.obtained(former, clock.instant()).refused();
    }

    /** What is in use, if it ends by itself; null otherwise. */
    @Nullable
    Credentials passing() {
        HeldKeys known = held;
        return known != null && known.credentials() instanceof Credentials.Keys keys && keys.expiry() != null
                ? keys
                : null;
    }

    @Override
    public Credentials current() throws CredentialsException {
        return current(null);
    }

    @Override
    public Credentials current(@Nullable Duration within) throws CredentialsException {
        HeldKeys known = held;
        Instant now = clock.instant();
        if (known != null && !known.isDue(now)) {
            return known.credentials();
        }
        FutureTask<Credentials> running = renewal(now);
        return known != null && known.isUsable(now) ? known.credentials() : outcome(running, within);
    }

    /** The one under way, or a new one; one that ended a moment ago is as good as a new one. */
    private synchronized FutureTask<Credentials> renewal(Instant now) {
        FutureTask<Credentials> running = renewal;
        HeldKeys known = held;
        if (running == null || (running.isDone() && (known == null || known.isDue(now)))) {
            running = new FutureTask<>(this::renew);
            renewal = running;
            Thread.ofVirtual().name("s3-credentials").start(running);
        }
        return running;
    }

    private Credentials renew() throws CredentialsException {
        try {
            Credentials fresh = source.current();
            hold(fresh);
            return fresh;
        } catch (CredentialsException e) {
            return keepOrThrow(e);
        }
    }

    private synchronized void hold(Credentials fresh) {
        HeldKeys known = held;
        Instant now = clock.instant();
        HeldKeys obtained = HeldKeys.obtained(fresh, now);
        held = known != null && known.credentials().equals(fresh) ? obtained.leftInPeace(now) : obtained;
    }

    private synchronized Credentials keepOrThrow(CredentialsException e) throws CredentialsException {
        HeldKeys known = held;
        Instant now = clock.instant();
        if (known == null || known.hasEnded(now)) {
            throw e;
        }
        LOG.warn("credentials cannot be renewed; the old ones stay in use until they end: {}", e.getMessage());
        held = known.leftInPeace(now);
        return known.credentials();
    }

    private Credentials outcome(FutureTask<Credentials> running, @Nullable Duration within)
            throws CredentialsException {
        try {
            return within == null ? running.get() : running.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CredentialsException("interrupted while waiting for credentials", e);
        } catch (TimeoutException e) {
            throw new CredentialsException(
                    String.format(
                            Locale.ROOT,
                            "no keys came from %s within %.1f s; check that it can be reached",
                            this,
                            within == null ? 0 : within.toNanos() / 1e9),
                    e);
        } catch (ExecutionException e) {
            // Several may wait for the same outcome; each gets an exception of its own.
            Throwable cause = requireNonNull(e.getCause());
            throw new CredentialsException(String.valueOf(cause.getMessage()), cause);
        }
    }

    @Override
    public void rejected(Credentials credentials) {
        source.rejected(credentials);
        refuse(credentials, false);
    }

    @Override
    public void suspected(Credentials credentials) {
        refuse(credentials, true);
    }

    private synchronized void refuse(Credentials credentials, boolean onlyIfOld) {
        HeldKeys known = held;
        if (known != null
                && known.credentials().equals(credentials)
                && known.mayBeRefused(clock.instant(), onlyIfOld)) {
            held = known.refused();
        }
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
