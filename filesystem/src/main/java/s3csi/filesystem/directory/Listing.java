package s3csi.filesystem.directory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.Inode;
import s3csi.filesystem.inode.Names;
import s3csi.s3.Quoted;

/**
 * All names of a directory, once from the beginning to the end: those of the store, page by page, merged with those that exist only
 * here. No name comes twice, whatever the store does. Not for several threads at once.
 */
final class Listing {
    private static final Logger LOG = LoggerFactory.getLogger(Listing.class);

    /** A store that gives so many pages without a new name gives them for ever. */
    private static final int MOST_FRUITLESS_PAGES = 100;

    private final String prefix;
    private final Pages pages;
    private final Deque<ListedName> ready = new ArrayDeque<>();

    /** What exists only here, sorted; as it was when the listing began. */
    private final Deque<Inode> local;

    /** Files of which only the next page tells whether a directory hides them. */
    private List<ListedName.Remote> undecided = List.of();

    /** Null once the order of the listing is trusted. */
    private @Nullable SeenNames seen = new SeenNames();

    private @Nullable String lastGiven;
    private @Nullable String lastDirectory;

    /** The greatest key so far, without the prefix. */
    private @Nullable String lastKey;

    private boolean isOrdered = true;
    private int fruitless;
    private boolean ended;

    Listing(Directories directories, DirectoryInode directory) {
        this.prefix = directory.key();
        this.pages = new Pages(directories, prefix);
        List<Inode> made = directories.table().localChildren(directory);
        made.sort((a, b) -> Names.compare(a.name(), b.name()));
        this.local = new ArrayDeque<>(made);
    }

    /** The next name, or null if none is at hand: at the end, or because a page must be waited for. */
    @Nullable
    ListedName peek() {
        return ready.peek();
    }

    void take() {
        ready.remove();
    }

    /** Whether there is anything to say without waiting, be it that this is the end. */
    boolean isReady() {
        return !ready.isEmpty() || ended;
    }

    /** Whether {@link #advance} would not wait. */
    boolean canAdvance() {
        return pages.isNextReady();
    }

    /** Makes more names ready, waiting for the next page. A page that failed is asked for again at the next call. */
    void advance() throws FileException, InterruptedException {
        ListedPage page = pages.next();
        boolean isFruitful = merge(page.names(), page.isLast());
        if (isFruitful) {
            fruitless = 0;
        } else {
            fruitless++;
        }
        boolean isHopeless = fruitless > MOST_FRUITLESS_PAGES || (seen == null && !isOrdered);
        if (page.isLast() || isHopeless) {
            end(page.isCutShort() || isHopeless);
        }
    }

    private void end(boolean isCutShort) {
        if (isCutShort) {
            LOG.warn("the listing of {} goes in circles and ends here; tell the operators of the store", prefix);
        }
        cancel();
        undecided.forEach(this::give);
        undecided = List.of();
        giveLocal(null);
        ended = true;
    }

    /** Makes the names of a page ready, and says whether any of them was new. */
    private boolean merge(List<ListedName.Remote> page, boolean isLast) {
        if (page.isEmpty()) {
            return false;
        }
        checkOrder(page);
        List<ListedName.Remote> all = new ArrayList<>(undecided);
        all.addAll(page);
        all.sort(PageNames.ORDER);
        List<ListedName.Remote> open = new ArrayList<>();
        boolean isFruitful = false;
        for (ListedName.Remote each : all) {
            if (!isLast && isOrdered && mayBeHiddenLater(each)) {
                open.add(each);
                isFruitful |= !undecided.contains(each);
            } else {
                giveLocal(each.name());
                isFruitful |= give(each);
            }
        }
        undecided = open;
        return isFruitful;
    }

    /**
     * Listings are in the order of keys: a file comes before all names that begin with its own and go on with a character below the
     * slash, and a directory of its name comes after them, perhaps pages later.
     */
    private boolean mayBeHiddenLater(ListedName.Remote each) {
        return !each.isDirectory() && lastKey != null && Names.compare(lastKey, each.name() + '/') < 0;
    }

    private void checkOrder(List<ListedName.Remote> page) {
        String last = lastKey;
        for (ListedName.Remote each : page) {
            String key = each.key();
            if (lastKey != null && Names.compare(key, lastKey) <= 0) {
                isOrdered = false;
            }
            if (last == null || Names.compare(key, last) > 0) {
                last = key;
            }
        }
        lastKey = last;
        if (isOrdered && seen != null && seen.isEnoughToTrust()) {
            seen = null;
        }
    }

    /** Gives those names that exist only here and come before the given one; null for all that are left. */
    private void giveLocal(@Nullable String before) {
        while (!local.isEmpty()
                && (before == null || Names.compare(local.element().name(), before) < 0)) {
            Inode inode = local.remove();
            if (isNew(inode.name())) {
                ready.add(new ListedName.Local(inode));
            }
        }
    }

    private boolean give(ListedName.Remote each) {
        boolean isNew = isNew(each.name());
        if (isNew) {
            ready.add(each);
            lastDirectory = each.isDirectory() ? each.name() : lastDirectory;
        } else if (!each.isDirectory() && each.name().equals(lastDirectory)) {
            LOG.warn("{} is hidden: a directory has the same name", Quoted.text(prefix + each.name()));
        }
        return isNew;
    }

    private boolean isNew(String name) {
        boolean isRepeated = name.equals(lastGiven);
        lastGiven = name;
        return !isRepeated && (seen == null || seen.add(name));
    }

    /** Stops fetching ahead. */
    void cancel() {
        pages.cancel();
    }
}
