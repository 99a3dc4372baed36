package s3csi.filesystem.directory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.inode.Names;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.StoreException;

/**
 * The pages of a listing in order, fetched ahead of their reader. A token leads only from one page to the next, so a large directory
 * would take a round trip for each thousand names; after some pages the rest is cut into ranges of keys, and several of them are
 * asked for at the same time. A store that does not list in order is read page after page. Not for several threads at once.
 */
final class PagesAhead {
    private static final Logger LOG = LoggerFactory.getLogger(PagesAhead.class);

    /** Pages on their way at the same time. */
    private static final int MOST_UNDER_WAY = 8;

    /** Pages on their way or waiting to be read: four megabytes at most. */
    private static final int MOST_AHEAD = 16;

    private static final int PAGES_BEFORE_CUTTING = 2;
    private static final int LARGE_PAGE = ListRequest.FULL_PAGE / 2;

    /** Enough to find out whether anything is left where nothing is expected. */
    private static final int FEW_KEYS = 20;

    private final Directories directories;
    private final String prefix;
    private final PageNames names;

    /** What is left of the listing, in order; those that came at the beginning, those that were not asked for at the end. */
    private List<KeyRange> ranges = new ArrayList<>();

    private int pages;
    private boolean mayCut = true;
    private boolean mustStartOver;

    PagesAhead(Directories directories, String prefix) {
        this.directories = directories;
        this.prefix = prefix;
        this.names = new PageNames(prefix);
        ranges.add(KeyRange.whole(prefix));
    }

    /** Whether {@link #next} would not wait. */
    boolean isNextReady() {
        return !ranges.isEmpty() && ranges.getFirst().hasCome();
    }

    /** The next page. One that failed is asked for again at the next call. */
    ListedPage next() throws FileException, InterruptedException {
        KeyRange first = ranges.getFirst();
        try {
            fetch(first).await();
        } catch (StoreException e) {
            first.fetch = null;
            throw FileException.ofStore(e);
        }
        takeInWhatCame();
        if (mustStartOver) {
            return startOver();
        }
        ranges.removeFirst();
        pages++;
        fetchAhead();
        List<ListedName.Remote> own = first.names == null ? List.of() : first.names;
        return new ListedPage(own, ranges.isEmpty(), first.isStuck, first.isGuess);
    }

    private PageFetch fetch(KeyRange range) {
        PageFetch fetch = range.fetch;
        if (fetch == null) {
            fetch = PageFetch.start(
                    directories.store(), range.request, directories.time().now());
            range.fetch = fetch;
        }
        return fetch;
    }

    private void fetchAhead() {
        int underWay = 0;
        for (int i = 0; i < Math.min(MOST_AHEAD, ranges.size()) && underWay < MOST_UNDER_WAY; i++) {
            fetch(ranges.get(i));
            underWay += ranges.get(i).hasCome() ? 0 : 1;
        }
    }

    /** Looks at all pages that came since the last time, so that what follows them can be asked for early. */
    private void takeInWhatCame() throws InterruptedException {
        List<KeyRange> now = new ArrayList<>(ranges.size());
        for (KeyRange range : ranges) {
            now.add(range);
            if (range.names == null && range.hasCome() && now.size() <= MOST_AHEAD) {
                takeIn(range, now);
            }
        }
        ranges = now;
    }

    private void takeIn(KeyRange range, List<KeyRange> now) throws InterruptedException {
        ListingPage page;
        PageFetch fetch = fetch(range);
        try {
            page = fetch.await();
        } catch (StoreException _) {
            // Reported once it is this page's turn.
            return;
        }
        List<ListedName.Remote> all = names.of(page, fetch.askedAt());
        if (mayCut && all.stream().anyMatch(each -> range.isBefore(each.key()))) {
            mayCut = false;
            mustStartOver = range.isCut();
        }
        String token = page.continuation();
        range.isStuck = token != null && token.equals(range.request.continuation());
        List<ListedName.Remote> own = new ArrayList<>(all);
        own.removeIf(each -> range.isBehind(each.key()));
        range.names = own;
        if (token != null && !range.isStuck && own.size() == all.size()) {
            now.addAll(rest(range, token, own));
        }
    }

    /** What is left of a range after its first page, cut into pieces where that pays. */
    private List<KeyRange> rest(KeyRange range, String token, List<ListedName.Remote> page) {
        boolean isLarge = page.size() >= LARGE_PAGE;
        boolean cuts = mayCut && isLarge && pages + 1 >= PAGES_BEFORE_CUTTING;
        List<String> bounds = cuts ? KeyGuess.cuts(page, range.through) : List.of();
        // A token goes with nothing else that says where to begin.
        ListRequest request = ListRequest.directory(prefix).withContinuation(token);
        if (range.isCut() && isLarge && bounds.isEmpty()) {
            request = request.withMaxKeys(FEW_KEYS);
        }
        List<KeyRange> pieces = new ArrayList<>();
        String after = lastKey(range, page);
        boolean isGuess = false;
        for (String bound : bounds) {
            pieces.add(new KeyRange(request, after, bound, isGuess));
            request = ListRequest.directory(prefix).after(prefix + bound);
            after = bound;
            isGuess = true;
        }
        pieces.add(new KeyRange(request, after, range.through, isGuess));
        return pieces;
    }

    private static @Nullable String lastKey(KeyRange range, List<ListedName.Remote> page) {
        String last = range.after;
        for (ListedName.Remote each : page) {
            if (last == null || Names.compare(each.key(), last) > 0) {
                last = each.key();
            }
        }
        return last;
    }

    /** The store does not list in order, so nothing should have been cut: all is listed once more, page after page. */
    private ListedPage startOver() {
        LOG.info("the store does not list {} in order, so it is listed page after page", prefix);
        mustStartOver = false;
        cancel();
        ranges.add(KeyRange.whole(prefix));
        fetchAhead();
        return new ListedPage(List.of(), false, false, true);
    }

    /** Stops fetching ahead. */
    void cancel() {
        ranges.forEach(KeyRange::cancel);
        ranges = new ArrayList<>();
    }
}
