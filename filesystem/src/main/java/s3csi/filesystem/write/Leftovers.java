package s3csi.filesystem.write;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.Upload;

/**
 * Uploads of files that could not be stored. Their parts cost money until they are aborted, and what failed a file may well fail the
 * abort: it is tried again until the store is back. For any number of threads.
 */
final class Leftovers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    /** Beyond that the bucket's lifecycle rules have to help. */
    private static final int MOST = 1000;

    static final Duration PAUSE = Duration.ofSeconds(5);

    private final ObjectStore store;
    private final Consumer<Upload> onAborted;
    private final Duration pause;

    // Guarded by this.
    private final Deque<Upload> waiting = new ArrayDeque<>();
    private @Nullable Thread worker;
    private boolean mustPause;
    private boolean closed;

    Leftovers(ObjectStore store, Consumer<Upload> onAborted) {
        this(store, onAborted, PAUSE);
    }

    Leftovers(ObjectStore store, Consumer<Upload> onAborted, Duration pause) {
        this.store = store;
        this.onAborted = onAborted;
        this.pause = pause;
    }

    /** Aborts the upload, or takes note of it where the store is away. */
    void abort(Upload upload) {
        StoreException failure = tryAbort(upload);
        if (failure == null) {
            return;
        }
        if (isStoreAway(failure) && keep(upload)) {
            LOG.warn(
                    "the unfinished upload of {} is aborted when the store is back: {}",
                    upload.key(),
                    failure.getMessage());
        } else {
            givenUp(upload, failure.getMessage());
        }
    }

    private static void givenUp(Upload upload, @Nullable String why) {
        LOG.warn(
                "the unfinished upload of {} could not be aborted: {}. Its parts stay in the bucket until a"
                        + " lifecycle rule or an administrator removes them",
                upload.key(),
                why);
    }

    private @Nullable StoreException tryAbort(Upload upload) {
        try {
            store.abortUpload(upload);
            onAborted.accept(upload);
            return null;
        } catch (StoreException e) {
            return e;
        }
    }

    private static boolean isStoreAway(StoreException e) {
        return switch (e.failure()) {
            case StoreFailure.Unreachable _,
                    StoreFailure.Timeout _,
                    StoreFailure.Throttled _,
                    StoreFailure.ServerError _ -> true;
            case StoreFailure.NoSuchKey _,
                    StoreFailure.NoSuchBucket _,
                    StoreFailure.NoSuchUpload _,
                    StoreFailure.Forbidden _,
                    StoreFailure.NoCredentials _,
                    StoreFailure.Archived _,
                    StoreFailure.PreconditionFailed _,
                    StoreFailure.RangeNotSatisfiable _,
                    StoreFailure.NotImplemented _,
                    StoreFailure.WrongRegion _,
                    StoreFailure.Integrity _,
                    StoreFailure.CertificateNotTrusted _,
                    StoreFailure.Cancelled _,
                    StoreFailure.Rejected _,
                    StoreFailure.Protocol _ -> false;
        };
    }

    private synchronized boolean keep(Upload upload) {
        if (closed || waiting.size() >= MOST) {
            return false;
        }
        waiting.add(upload);
        mustPause = true;
        if (worker == null) {
            worker = Thread.ofVirtual().name("upload-abort-later").start(this::abortAll);
        }
        return true;
    }

    private void abortAll() {
        for (Upload next = next(); next != null; next = next()) {
            StoreException failure = tryAbort(next);
            if (failure == null) {
                LOG.info("aborted the unfinished upload of {}", next.key());
            } else if (isStoreAway(failure)) {
                putBack(next);
            } else {
                givenUp(next, failure.getMessage());
            }
        }
    }

    /** The next one, after a pause if the store was away just now; null at the end, or when none is left. */
    private synchronized @Nullable Upload next() {
        try {
            long end = System.nanoTime() + pause.toNanos();
            for (long left = pause.toNanos(); mustPause && left > 0 && !closed; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
        mustPause = false;
        Upload next = closed ? null : waiting.poll();
        if (next == null) {
            worker = null;
        }
        return next;
    }

    private synchronized void putBack(Upload upload) {
        mustPause = true;
        waiting.addFirst(upload);
    }

    /** What is left stays in the bucket, and in the notes for the next process if there are any. */
    @Override
    public void close() {
        List<Upload> left;
        Thread running;
        synchronized (this) {
            closed = true;
            left = List.copyOf(waiting);
            waiting.clear();
            running = worker;
            notifyAll();
        }
        if (running != null) {
            running.interrupt();
        }
        left.forEach(upload -> givenUp(upload, "the store was away to the end"));
    }
}
