package s3csi.s3.client;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreObserver;
import s3csi.s3.client.AttemptFailure.Remedy;

/**
 * Knows whether the store is away, and lets requests through so that it is neither left alone nor overrun.
 *
 * <p>While the store is <b>here</b>, everybody passes. An attempt that fails for want of a store makes it <b>away</b>, unless another
 * attempt was answered since that one began, or failed at the same request before: then it is the request that has a problem. While it is away, a few attempts at a time
 * are let through, at intervals; they are the probes, and everybody else waits in line. The first answer means that the store is
 * <b>returning</b>: the line moves on, one more at a time with every answer, which doubles their number with every round.
 *
 * <p>Patience is counted from the start of the outage. Once it is spent, a request waits for one probe only, its own or the one under
 * way, and fails with it.
 */
final class StoreGate implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreGate.class);

    /** What a probe may take once patience is spent: somebody waits for its failure. */
    static final Duration PROBE = Duration.ofSeconds(5);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** More than one, because one request may fail for a reason of its own. */
    private static final int PROBES = 4;
    /** With so many at a time the store is as busy as it ever is. */
    private static final int EVERYBODY = 64;

    private static final long SHORTEST_WAIT = TimeUnit.MILLISECONDS.toNanos(1);

    private sealed interface State {
        record Here() implements State {}

        record Away(Outage outage) implements State {}

        /** @param width how many attempts may be under way */
        record Returning(int width, long since) implements State {}
    }

    /** @param turn signalled when it may be the visitor's turn */
    private record Place(Visit visit, Condition turn) {}

    private final String bucket;
    private final Duration patience;
    private final RetryDelay pace;
    private final StoreObserver observer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Place> line = new ArrayDeque<>();
    private volatile State state = new State.Here();
    private volatile long lastAnswer = System.nanoTime();
    private int underWay;
    private boolean closed;

    StoreGate(String bucket, Duration patience, RandomGenerator random, StoreObserver observer) {
        this.bucket = bucket;
        this.patience = patience;
        this.pace = new RetryDelay(SHORTEST_PAUSE, LONGEST_PAUSE, random);
        this.observer = observer;
    }

    // ---- before an attempt

    /**
     * Waits until the visitor may make an attempt.
     *
     * @return null, or why it may not: the store has been away for too long, or is closed
     */
    @Nullable
    AttemptFailure enter(Visit visit) throws InterruptedException {
        AttemptFailure refusal = state instanceof State.Here ? null : waitInLine(visit);
        visit.begun = System.nanoTime();
        return refusal;
    }

    private @Nullable AttemptFailure waitInLine(Visit visit) throws InterruptedException {
        lock.lock();
        try {
            Place place = new Place(visit, lock.newCondition());
            line.addLast(place);
            try {
                return awaitTurn(place);
            } finally {
                line.remove(place);
                wakeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable AttemptFailure awaitTurn(Place place) throws InterruptedException {
        while (!closed) {
            long wait = Long.MAX_VALUE;
            switch (state) {
                case State.Here() -> {
                    return null;
                }
                case State.Returning returning -> {
                    if (isNext(place, returning.width)) {
                        return admit(place.visit);
                    }
                }
                case State.Away(Outage outage) -> {
                    place.visit.waitFor(outage);
                    long now = System.nanoTime();
                    long left = timeLeft(place.visit, outage, now);
                    if (left <= 0) {
                        if (place.visit.hasTriedEnough(now)) {
                            return givenUp(place.visit, outage, now);
                        }
                        if (underWay == 0) {
                            return admit(place.visit);
                        }
                        wait = place.visit.joinProbe(now, PROBE);
                    } else if (!isNext(place, PROBES)) {
                        wait = left;
                    } else if (outage.untilProbe(now) > 0) {
                        wait = Math.min(left, outage.untilProbe(now));
                    } else {
                        return admit(place.visit);
                    }
                }
            }
            // What is left of it is computed anew.
            place.turn.awaitNanos(Math.max(wait, SHORTEST_WAIT));
        }
        return new AttemptFailure(
                new StoreFailure.Cancelled(), Remedy.NONE, ErrorAnswer.NONE, "it was cancelled", null);
    }

    private boolean isNext(Place place, int width) {
        return place.equals(line.peekFirst()) && underWay < width;
    }

    private @Nullable AttemptFailure admit(Visit visit) {
        underWay++;
        visit.isCounted = true;
        return null;
    }

    /** How long the visitor may still wait for this outage to end; its own failures count, too, where they are older. */
    private long timeLeft(Visit visit, Outage outage, long now) {
        long since = visit.failingSince(outage.since());
        long earlier = since - outage.since() < 0 ? since : outage.since();
        return earlier + patience.toNanos() - now;
    }

    private static AttemptFailure givenUp(Visit visit, Outage outage, long now) {
        AttemptFailure last = visit.last();
        return (last == null ? outage.failure() : last)
                .becauseOf("the store has been away for " + outage.length(now).toSeconds() + " s");
    }

    /** How long the store may say nothing in this attempt; null for as long as usual. */
    @Nullable
    Duration silence(Visit visit) {
        if (!(state instanceof State.Away(Outage outage))) {
            return null;
        }
        Duration left = Duration.ofNanos(timeLeft(visit, outage, System.nanoTime()));
        return left.compareTo(PROBE) < 0 ? PROBE : left;
    }

    // ---- after an attempt

    /** The store has answered. */
    void answered(Visit visit) {
        lastAnswer = System.nanoTime();
        if (state instanceof State.Here && !visit.isCounted) {
            return;
        }
        lock.lock();
        try {
            leave(visit);
            switch (state) {
                case State.Here() -> {
                    // It is known already.
                }
                case State.Away(Outage outage) -> {
                    comeBack(outage);
                    state = line.isEmpty() ? new State.Here() : new State.Returning(PROBES, lastAnswer);
                }
                case State.Returning(int width, long since) ->
                    state = line.isEmpty() || width >= EVERYBODY
                            ? new State.Here()
                            : new State.Returning(width + 1, since);
            }
            if (state instanceof State.Here) {
                wakeAll();
            } else {
                wakeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    private void comeBack(Outage outage) {
        Duration length = outage.length(System.nanoTime());
        observer.outageEnded(length, outage.waited());
        if (outage.isSaid()) {
            LOG.warn(
                    "the store of bucket {} is back after {} s; {} requests waited for it",
                    bucket,
                    length.toSeconds(),
                    outage.waited());
        }
    }

    /**
     * An attempt failed for want of a store.
     *
     * @return whether the store is away; if not, the request has a problem of its own
     */
    boolean failed(Visit visit, AttemptFailure failure) {
        lock.lock();
        try {
            long now = System.nanoTime();
            boolean isNews = visit.begun - lastAnswer > 0 && !isAlone(visit, failure);
            visit.failed(failure, now);
            boolean wasProbe = visit.isCounted;
            leave(visit);
            switch (state) {
                case State.Here() -> {
                    if (isNews) {
                        begin(visit, failure, now);
                    }
                }
                case State.Returning returning -> {
                    if (isNews && visit.begun - returning.since > 0) {
                        begin(visit, failure, now);
                    }
                }
                case State.Away(Outage outage) -> {
                    visit.waitFor(outage);
                    if (wasProbe) {
                        outage.goesOn(failure, now, pace);
                    } else {
                        outage.goesOn(failure);
                    }
                    tell(outage, outage.since(), now);
                }
            }
            wakeFirst();
            return state instanceof State.Away;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the store fails at this request again, and answered others since it did so before. Gateways do that to names that are too
     * long for them; nobody else shall wait for it.
     */
    private boolean isAlone(Visit visit, AttemptFailure failure) {
        return failure.answer().status() == HttpURLConnection.HTTP_INTERNAL_ERROR && visit.hasFailedBefore(lastAnswer);
    }

    private void begin(Visit visit, AttemptFailure failure, long now) {
        Outage outage = new Outage(now, failure);
        state = new State.Away(outage);
        visit.waitFor(outage);
        tell(outage, visit.begun, now);
    }

    private void tell(Outage outage, long since, long now) {
        if (outage.isToBeSaid(Duration.ofNanos(now - since))) {
            LOG.warn(
                    "the store of bucket {} is away: {}; requests wait for it for up to {} s",
                    bucket,
                    outage.failure().reason(),
                    patience.toSeconds());
        }
        if (outage.length(now).compareTo(patience) >= 0 && outage.isToBeGivenUp()) {
            LOG.warn(
                    "the store of bucket {} has been away for {} s: {}; requests fail from now on, until one is answered",
                    bucket,
                    outage.length(now).toSeconds(),
                    outage.failure().reason());
        }
    }

    /** Whether the visitor has been failing for as long as anybody waits. */
    boolean isSpent(Visit visit) {
        long now = System.nanoTime();
        if (now - visit.failingSince(now) >= patience.toNanos()) {
            return true;
        }
        return state instanceof State.Away(Outage outage) && timeLeft(visit, outage, now) <= 0;
    }

    /** The attempt has ended, and told nothing of the store where no other call said so before. */
    void left(Visit visit) {
        if (visit.isCounted) {
            lock.lock();
            try {
                leave(visit);
                wakeFirst();
            } finally {
                lock.unlock();
            }
        }
    }

    private void leave(Visit visit) {
        if (visit.isCounted) {
            visit.isCounted = false;
            underWay--;
            if (state instanceof State.Away(Outage outage)) {
                outage.probeEnded();
                if (outage.length(System.nanoTime()).compareTo(patience) >= 0) {
                    wakeAll();
                }
            }
        }
    }

    private void wakeFirst() {
        Place first = line.peekFirst();
        if (first != null) {
            first.turn.signal();
        }
    }

    private void wakeAll() {
        line.forEach(place -> place.turn.signal());
    }

    /** Whoever waits is sent away. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            wakeAll();
        } finally {
            lock.unlock();
        }
    }
}
