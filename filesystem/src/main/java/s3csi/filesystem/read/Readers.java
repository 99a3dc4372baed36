package s3csi.filesystem.read;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.cache.DiskCache;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Pressure;
import s3csi.filesystem.memory.Reclaimer;
import s3csi.s3.ObjectStore;

/** What all open files of a mount share. For any number of threads. */
public final class Readers implements AutoCloseable {
    /** A stream that pauses this long must do without its data when others miss memory. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** A stream that pauses this long does without its data in any case: an open file that nobody reads should cost nothing. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ObjectStore store;
    private final BufferPool pool;
    private final ReadSettings settings;
    private final @Nullable DiskCache cache;
    private final Duration pause;
    private final Transfers transfers = new Transfers(System::nanoTime);
    private final Set<ObjectReader> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger prefetches = new AtomicInteger();
    private final AtomicInteger fetches = new AtomicInteger();
    private final AtomicBoolean memoryMissed = new AtomicBoolean();
    private final Reclaimer reclaimer = this::reclaim;
    private final Thread caretaker;
    private volatile boolean closed;

    /** Without a cache on disk. */
    public Readers(ObjectStore store, BufferPool pool, ReadSettings settings) {
        this(store, pool, settings, null);
    }

    /** Neither the store nor the pool nor the cache is closed here. */
    public Readers(ObjectStore store, BufferPool pool, ReadSettings settings, @Nullable DiskCache cache) {
        this(store, pool, settings, cache, PAUSE);
    }

    /** With another time that a stream may pause: a test on a busy machine pauses longer than it wants to. */
    Readers(ObjectStore store, BufferPool pool, ReadSettings settings, @Nullable DiskCache cache, Duration pause) {
        this.store = store;
        this.pool = pool;
        this.settings = settings;
        this.cache = cache;
        this.pause = pause;
        pool.addReclaimer(reclaimer);
        caretaker = Thread.ofVirtual().name("read-caretaker").start(this::takeCare);
    }

    /** A reader for one open file. It costs nothing until it is read from; the caller closes it. */
    public ObjectReader open(ObjectVersion version) {
        ObjectReader reader = new ObjectReader(this, version);
        open.add(reader);
        return reader;
    }

    /** GETs under way, for metrics. */
    public int fetching() {
        return fetches.get();
    }

    /** Sequential streams that are read ahead for, for metrics. */
    public int streams() {
        return streams.get();
    }

    /** Closes all readers and waits for the fetches they have under way; reads that still wait must have been interrupted before. */
    @Override
    public void close() {
        closed = true;
        pool.removeReclaimer(reclaimer);
        LockSupport.unpark(caretaker);
        List.copyOf(open).forEach(ObjectReader::close);
        boolean interrupted = false;
        synchronized (fetches) {
            while (fetches.get() > 0) {
                try {
                    fetches.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- for readers, also under their locks: never waits

    ObjectStore store() {
        return store;
    }

    BufferPool pool() {
        return pool;
    }

    ReadSettings settings() {
        return settings;
    }

    Transfers transfers() {
        return transfers;
    }

    @Nullable
    CachedBlocks blocksOf(ObjectVersion version) {
        return cache == null ? null : new CachedBlocks(cache.object(version.key(), version.etag()), version.size());
    }

    /** How much memory one stream may fetch ahead into, so that all of them can. */
    long share() {
        long usable = pool.mostForData() - pool.mostForData() / 8;
        return usable / Math.max(1, streams.get());
    }

    void streamsChanged(int difference) {
        if (difference != 0) {
            streams.addAndGet(difference);
        }
    }

    /** Whether one more GET may be made for bytes that nobody waits for yet; it ends with {@link #fetchEnded} or {@link #endPrefetch}. */
    boolean beginPrefetch() {
        if (prefetches.incrementAndGet() <= settings.maxPrefetches()) {
            return true;
        }
        prefetches.decrementAndGet();
        return false;
    }

    void endPrefetch() {
        prefetches.decrementAndGet();
    }

    void fetchBegins() {
        fetches.incrementAndGet();
    }

    void fetchEnded(boolean demanded) {
        if (!demanded) {
            endPrefetch();
        }
        if (fetches.decrementAndGet() == 0) {
            synchronized (fetches) {
                fetches.notifyAll();
            }
        }
    }

    /** A stream could not fetch ahead for want of memory. */
    void missMemory() {
        if (memoryMissed.compareAndSet(false, true)) {
            LockSupport.unpark(caretaker);
        }
    }

    void forget(ObjectReader reader) {
        open.remove(reader);
    }

    // ---- memory that others need more

    private void reclaim(long bytes, Pressure pressure) {
        long goal = pool.used() - bytes;
        long idleSince = System.nanoTime() - pause.toNanos();
        List<LastRead> longestPauseFirst = open.stream()
                .map(reader -> new LastRead(reader, reader.lastNanos()))
                .sorted(Comparator.comparingLong(LastRead::nanos))
                .toList();
        for (LastRead each : longestPauseFirst) {
            if (pool.used() <= goal) {
                return;
            }
            each.reader.reclaim(pressure, idleSince);
        }
    }

    /** A reader may be read from while others are sorted, so what is sorted by must be a copy. */
    private record LastRead(ObjectReader reader, long nanos) {}

    private void takeCare() {
        while (!closed) {
            boolean missed = memoryMissed.getAndSet(false);
            long now = System.nanoTime();
            long idleSince = now - (missed ? pause : IDLE).toNanos();
            open.forEach(reader -> reader.reclaim(Pressure.WAITING, idleSince));
            if (missed) {
                rest(now + pause.toNanos());
            } else {
                LockSupport.parkNanos(IDLE.toNanos());
            }
        }
    }

    /** However many miss memory, looking for it more often would not find more. */
    private void rest(long until) {
        long left = until - System.nanoTime();
        while (left > 0 && !closed) {
            LockSupport.parkNanos(left);
            left = until - System.nanoTime();
        }
    }
}
