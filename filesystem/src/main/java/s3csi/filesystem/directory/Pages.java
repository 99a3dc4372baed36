package s3csi.filesystem.directory;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.StoreException;

/**
 * The pages of a listing in order, each asked for when the one before it came, so that it is on its way while that one is read. Not for
 * several threads at once.
 *
 * <p>Only a token leads from one page to the next. Beginning at several keys at the same time would save round trips, but MinIO searches
 * for each of them from the start: cut into pieces, a directory of 100,000 files took it 25 seconds in place of 4.
 */
final class Pages {
    private final Directories directories;
    private final PageNames names;
    private ListRequest request;

    /** The page on its way; null before the first one, after the last one, and after a failure. */
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
        PageFetch current = fetch == null ? ask() : fetch;
        fetch = current;
        ListingPage page;
        try {
            page = current.await();
        } catch (StoreException e) {
            fetch = null;
            throw FileException.ofStore(e);
        }
        String token = page.continuation();
        boolean isStuck = token != null && token.equals(request.continuation());
        boolean isLast = token == null || isStuck;
        if (token != null) {
            request = request.withContinuation(token);
        }
        fetch = isLast ? null : ask();
        return new ListedPage(names.of(page, current.askedAt()), isLast, isStuck);
    }

    private PageFetch ask() {
        return PageFetch.start(directories.store(), request, directories.time().now());
    }

    /** Stops fetching ahead. */
    void cancel() {
        if (fetch != null) {
            fetch.cancel();
        }
    }
}
