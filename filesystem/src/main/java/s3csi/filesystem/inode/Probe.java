package s3csi.filesystem.inode;

import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectInfo;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/**
 * One question about one name, for all who ask it at the same time: is there an object, and is there anything below it? Both
 * requests are sent at once, each on a virtual thread of its own, so that a waiter can leave without spoiling it for the others;
 * when the last one leaves they are cancelled.
 */
final class Probe {
    private final ObjectStore store;
    private final String key;
    private final long askedAt;
    private final Runnable onSettled;
    private final List<Thread> threads;

    // Guarded by this.
    private int waiters;
    private boolean settled;
    private @Nullable Found found;
    private @Nullable StoreException failure;
    private boolean listed;
    private boolean headed;
    private @Nullable ObjectInfo object;
    private @Nullable StoreException headFailure;
    private @Nullable Throwable fault;

    Probe(ObjectStore store, String key, long askedAt, Runnable onSettled) {
        this.store = store;
        this.key = key;
        this.askedAt = askedAt;
        this.onSettled = onSettled;
        this.threads = List.of(
                Thread.ofVirtual().name("probe-list").unstarted(() -> guard(this::list)),
                Thread.ofVirtual().name("probe-head").unstarted(() -> guard(this::head)));
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Whether one more may wait for the answer, which came not yet. */
    synchronized boolean join() {
        if (settled) {
            return false;
        }
        waiters++;
        return true;
    }

    NameProbes.Observation await() throws StoreException, InterruptedException {
        try {
            synchronized (this) {
                while (!settled) {
                    wait();
                }
                if (failure != null) {
                    throw failure;
                }
                if (fault != null) {
                    throw new IllegalStateException("asking the store for " + key + " failed unexpectedly", fault);
                }
                return new NameProbes.Observation(found == null ? Found.NOTHING : found, askedAt);
            }
        } finally {
            leave();
        }
    }

    private void leave() {
        boolean isDeserted;
        synchronized (this) {
            waiters--;
            isDeserted = waiters == 0 && !settled;
            settled |= isDeserted;
        }
        if (isDeserted) {
            threads.forEach(Thread::interrupt);
            onSettled.run();
        }
    }

    /** Whoever waits must hear of a fault of ours too. */
    private void guard(Runnable question) {
        try {
            question.run();
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                fault = e;
            }
            settle(null, null);
        }
    }

    private void list() {
        try {
            hasListed(isDirectory());
        } catch (StoreException e) {
            settle(null, e);
        }
    }

    /** Some stores give empty pages that claim to go on, so only the last page proves that nothing is there. */
    private boolean isDirectory() throws StoreException {
        String below = key + '/';
        ListRequest request = ListRequest.directory(below).withMaxKeys(1);
        for (int pages = 0; pages <= EndlessListing.MOST_EMPTY_PAGES; pages++) {
            ListingPage page = store.list(request);
            boolean hasKey = page.objects().stream().anyMatch(each -> each.key().startsWith(below));
            if (hasKey || page.commonPrefixes().stream().anyMatch(each -> each.startsWith(below))) {
                return true;
            }
            String next = page.continuation();
            if (next == null) {
                return false;
            }
            if (next.equals(request.continuation())) {
                throw EndlessListing.of(below, "the store leads from one page to the same page again");
            }
            request = request.withContinuation(next);
        }
        throw EndlessListing.of(below, "the store gave " + EndlessListing.MOST_EMPTY_PAGES + " empty pages in a row");
    }

    private void head() {
        try {
            hasHeaded(store.head(key), null);
        } catch (StoreException e) {
            boolean isAbsent = e.failure() instanceof StoreFailure.NoSuchKey || isRefusedAndNotListed(e);
            hasHeaded(null, isAbsent ? null : e);
        }
    }

    /**
     * Some stores refuse a HEAD of what is not there, so that nobody learns whether it is; but whoever may list sees that anyway. An
     * object of this very key would be the first of the listing.
     */
    private boolean isRefusedAndNotListed(StoreException e) {
        if (!(e.failure() instanceof StoreFailure.Forbidden)) {
            return false;
        }
        try {
            ListingPage page = store.list(ListRequest.everythingBelow(key).withMaxKeys(1));
            boolean isTelling = page.isLast() || !page.objects().isEmpty();
            return isTelling
                    && page.objects().stream().noneMatch(each -> each.key().equals(key));
        } catch (StoreException listing) {
            e.addSuppressed(listing);
            return false;
        }
    }

    private void hasListed(boolean isDirectory) {
        if (isDirectory) {
            settle(Found.DIRECTORY, null);
            return;
        }
        synchronized (this) {
            listed = true;
        }
        settleIfBothAnswered();
    }

    private void hasHeaded(@Nullable ObjectInfo info, @Nullable StoreException e) {
        synchronized (this) {
            headed = true;
            object = info;
            headFailure = e;
        }
        settleIfBothAnswered();
    }

    /** A refused HEAD does not hide a directory, so both answers count. */
    private void settleIfBothAnswered() {
        Found result;
        StoreException problem;
        synchronized (this) {
            if (!listed || !headed) {
                return;
            }
            problem = headFailure;
            result = object == null ? Found.NOTHING : new Found.File(object);
        }
        settle(result, problem);
    }

    private void settle(@Nullable Found result, @Nullable StoreException problem) {
        synchronized (this) {
            if (settled) {
                return;
            }
            settled = true;
            found = result;
            failure = problem;
            notifyAll();
        }
        onSettled.run();
    }
}
