package s3csi.filesystem.directory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.EndlessListing;
import s3csi.filesystem.inode.Inode;
import s3csi.filesystem.inode.ShownNames;
import s3csi.s3.ListRequest;
import s3csi.s3.StoreException;

/**
 * All names of a directory, once from the beginning to the end: those of the store, page by page, merged with those that exist only
 * here. The page being read can be {@link #letGo let go}; then it is fetched once more. Not for several threads at once.
 */
final class Listing {
    private final String prefix;
    private final Pages pages;
    private Merge merge;

    /** The names of the page that came last, as far as they were not taken. */
    private Deque<ListedName> ready = new ArrayDeque<>();

    /** What asked for that page, and the merge as it was before; null before the first page, or if it cannot be merged again. */
    private @Nullable ListRequest request;

    private @Nullable Merge before;

    /** The last name that was taken of that page. */
    private @Nullable String lastTaken;

    /** The last name that was taken of the next page, because it comes for the second time. */
    private @Nullable String takenBefore;

    private int emptyPages;
    private int repeatedPages;
    private boolean ended;

    /** Why the listing cannot go on. */
    private @Nullable StoreException problem;

    Listing(Directories directories, DirectoryInode directory) {
        this.prefix = directory.key();
        this.pages = new Pages(directories, prefix);
        List<ListedName.Local> local = new ArrayList<>();
        for (Inode inode : directories.table().localChildren(directory)) {
            // Its name is taken down now: a file may be moved while it is written.
            local.add(new ListedName.Local(inode.name(), inode));
        }
        local.sort((a, b) -> ShownNames.compare(a.name(), b.name()));
        this.merge = new Merge(prefix, local);
    }

    /** The next name, or null if none is at hand: at the end, or because a page must be waited for. */
    @Nullable
    ListedName peek() {
        return ready.peek();
    }

    void take() {
        lastTaken = ready.remove().name();
    }

    /** The last name that was taken of the page that came last. */
    @Nullable
    String lastTaken() {
        return lastTaken;
    }

    /** Whether there is anything to say without waiting, be it that this is the end. */
    boolean isReady() {
        return !ready.isEmpty() || ended;
    }

    /** Whether all names were taken. */
    boolean isExhausted() {
        return ended && ready.isEmpty();
    }

    /** Whether {@link #advance} would not wait. */
    boolean canAdvance() {
        return problem != null || pages.isNextReady();
    }

    /**
     * Makes more names ready, waiting for the next page. A page that failed is asked for again at the next call; a listing that
     * does not end fails for good.
     */
    void advance() throws FileException, InterruptedException {
        if (problem != null) {
            throw FileException.ofStore(problem);
        }
        ListedPage page = pages.next();
        request = pages.request();
        before = merge.copy();
        boolean isFruitful = merge.add(page, ready);
        emptyPages = page.names().isEmpty() ? emptyPages + 1 : 0;
        repeatedPages = isFruitful ? 0 : repeatedPages + (page.names().isEmpty() ? 0 : 1);
        leaveOutTaken();
        ended = page.isLast();
        // What was found is given first.
        problem = ended ? null : problem();
    }

    /** The names of a page come sorted. */
    private void leaveOutTaken() {
        lastTaken = takenBefore;
        takenBefore = null;
        while (lastTaken != null
                && !ready.isEmpty()
                && ShownNames.compare(ready.element().name(), lastTaken) <= 0) {
            ready.remove();
        }
    }

    private @Nullable StoreException problem() {
        if (pages.isStuck()) {
            return EndlessListing.of(prefix, "the store leads from one page to the same page again");
        }
        if (emptyPages > EndlessListing.MOST_EMPTY_PAGES) {
            return EndlessListing.of(prefix, "the store gave " + emptyPages + " empty pages in a row");
        }
        if (repeatedPages > EndlessListing.MOST_REPEATED_PAGES) {
            return EndlessListing.of(prefix, "the store repeats names that it has listed before");
        }
        if (merge.isOverfull()) {
            return EndlessListing.of(prefix, "the store lists more keys out of order than can be remembered");
        }
        return null;
    }

    /** Has the next page fetched while this one is read. */
    void fetchAhead() {
        if (problem == null && !ended) {
            pages.fetchAhead();
        }
    }

    /**
     * Lets go of all names at hand, because others need the memory. The page is fetched again when its reader goes on, without
     * what is {@link #leaveOut left out} then.
     *
     * @return false if that cannot be done, so that only a new listing can take its place
     */
    boolean letGo() {
        pages.dropAhead();
        if (request == null) {
            return true;
        }
        if (before == null) {
            return false;
        }
        pages.goTo(request);
        merge = before;
        before = null;
        request = null;
        ready = new ArrayDeque<>();
        lastTaken = null;
        ended = false;
        problem = null;
        return true;
    }

    /** Up to this name, the page that comes again was taken before; null for nothing of it. */
    void leaveOut(@Nullable String name) {
        takenBefore = name;
    }

    /** Lets go of the page that was fetched ahead. */
    void dropAhead() {
        pages.dropAhead();
    }

    /** Stops fetching ahead. */
    void cancel() {
        pages.cancel();
    }
}
