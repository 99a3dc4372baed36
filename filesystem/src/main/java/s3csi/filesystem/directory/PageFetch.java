package s3csi.filesystem.directory;

import org.jspecify.annotations.Nullable;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;

/** One page on its way. */
final class PageFetch {
    private final ObjectStore store;
    private final ListRequest request;
    private final long askedAt;
    private final Thread thread;

    // Guarded by this.
    private @Nullable ListingPage page;
    private @Nullable StoreException failure;
    private @Nullable Throwable fault;
    private boolean done;

    private PageFetch(ObjectStore store, ListRequest request, long askedAt) {
        this.store = store;
        this.request = request;
        this.askedAt = askedAt;
        this.thread = Thread.ofVirtual().name("list").unstarted(this::run);
    }

    static PageFetch start(ObjectStore store, ListRequest request, long askedAt) {
        PageFetch fetch = new PageFetch(store, request, askedAt);
        fetch.thread.start();
        return fetch;
    }

    private void run() {
        try {
            end(store.list(request), null, null);
        } catch (StoreException e) {
            end(null, e, null);
        } catch (RuntimeException | Error e) {
            end(null, null, e);
        }
    }

    private synchronized void end(
            @Nullable ListingPage result, @Nullable StoreException problem, @Nullable Throwable bug) {
        page = result;
        failure = problem;
        fault = bug;
        done = true;
        notifyAll();
    }

    /** When the store was asked, in monotonic time. */
    long askedAt() {
        return askedAt;
    }

    synchronized boolean isDone() {
        return done;
    }

    synchronized ListingPage await() throws StoreException, InterruptedException {
        while (!done) {
            wait();
        }
        if (failure != null) {
            throw failure;
        }
        if (page == null) {
            throw new IllegalStateException("a page could not be listed", fault);
        }
        return page;
    }

    void cancel() {
        thread.interrupt();
    }
}
