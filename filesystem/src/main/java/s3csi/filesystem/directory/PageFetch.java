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
    private final PageNames names;
    private final long askedAt;
    private final Thread thread;

    // Guarded by this.
    private @Nullable ListedPage page;
    private @Nullable StoreException failure;
    private @Nullable Throwable fault;
    private boolean done;

    private PageFetch(ObjectStore store, ListRequest request, PageNames names, long askedAt) {
        this.store = store;
        this.request = request;
        this.names = names;
        this.askedAt = askedAt;
        this.thread = Thread.ofVirtual().name("list").unstarted(this::run);
    }

    static PageFetch start(ObjectStore store, ListRequest request, PageNames names, long askedAt) {
        PageFetch fetch = new PageFetch(store, request, names, askedAt);
        fetch.thread.start();
        return fetch;
    }

    private void run() {
        try {
            ListingPage listed = store.list(request);
            end(new ListedPage(names.of(listed, askedAt), listed.continuation()), null, null);
        } catch (StoreException e) {
            end(null, e, null);
        } catch (RuntimeException | Error e) {
            end(null, null, e);
        }
    }

    private synchronized void end(
            @Nullable ListedPage result, @Nullable StoreException problem, @Nullable Throwable bug) {
        page = result;
        failure = problem;
        fault = bug;
        done = true;
        notifyAll();
    }

    synchronized boolean isDone() {
        return done;
    }

    synchronized ListedPage await() throws StoreException, InterruptedException {
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
