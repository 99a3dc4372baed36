package s3csi.filesystem.directory;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.s3.ListRequest;
import s3csi.s3.StoreException;

/**
 * The pages of a listing in order, not for several threads at once.
 *
 * <p>Only a token leads from one page to the next. Beginning at several keys at the same time would save round trips, but MinIO searches
 * for each of them from the start: cut into pieces, a directory of 100,000 files took it 25 seconds in place of 4.
 */
final class Pages {
    private final Directories directories;
    private final PageNames names;

    /** Asks for the page that {@link #next} gives next, or for the one it gave last. */
    private ListRequest request;

    /** What leads on from there; null before the first page and after the last one. */
    private @Nullable String continuation;

    /** The page on its way; null if none is. */
    private @Nullable PageFetch fetch;

    Pages(Directories directories, String prefix) {
        this.directories = directories;
        this.names = new PageNames(prefix);
        this.request = ListRequest.directory(prefix);
    }

    /** Whether {@link #next} would not wait. */
    boolean isNextReady() {
        return fetch != null && fetch.isDone();
    }

    /** The next page. One that failed is asked for again at the next call. */
    ListedPage next() throws FileException, InterruptedException {
        goOn();
        PageFetch current = fetch == null ? ask() : fetch;
        fetch = current;
        ListedPage page;
        try {
            page = current.await();
        } catch (StoreException e) {
            fetch = null;
            throw FileException.ofStore(e);
        }
        fetch = null;
        continuation = page.continuation();
        return page;
    }

    /** Whether the page that came last leads to itself. */
    boolean isStuck() {
        return continuation != null && continuation.equals(request.continuation());
    }

    /** Has the page behind the last one fetched while that is read. */
    void fetchAhead() {
        if (continuation != null) {
            goOn();
            fetch = ask();
        }
    }

    private void goOn() {
        if (continuation != null) {
            request = request.withContinuation(continuation);
            continuation = null;
        }
    }

    private PageFetch ask() {
        return PageFetch.start(
                directories.store(), request, names, directories.time().now());
    }

    /** What asks for the page that came last, or is about to come. */
    ListRequest request() {
        return request;
    }

    /** Lets go of the page that was fetched ahead; it is asked for again when it is needed. */
    void dropAhead() {
        cancel();
        fetch = null;
    }

    /** Begins again with that page. */
    void goTo(ListRequest page) {
        dropAhead();
        continuation = null;
        request = page;
    }

    /** Stops fetching ahead. */
    void cancel() {
        if (fetch != null) {
            fetch.cancel();
        }
    }
}
