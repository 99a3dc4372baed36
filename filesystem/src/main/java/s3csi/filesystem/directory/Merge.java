package s3csi.filesystem.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.inode.ShownNames;
import s3csi.s3.Quoted;

/**
 * Makes one list of the pages of a store and of the names that exist only here. What it knows between two pages is small and can be
 * {@link #copy copied}, so that a page can be merged a second time. Not for several threads at once.
 *
 * <p>Stores list in the order of keys, so a name that was given comes no second time, and need not be remembered. That is believed once
 * enough names came in order; before that, and from the first name on that goes back, all names are remembered and each is given once.
 */
final class Merge {
    private static final Logger LOG = LoggerFactory.getLogger(Merge.class);

    private final String prefix;

    /** What exists only here, sorted; as it was when the listing began. */
    private final List<ListedName.Local> local;

    /** How many of those were given. */
    private int localGiven;

    /** Files of which only the next page tells whether a directory hides them. */
    private List<ListedName.Remote> undecided = List.of();

    /** Null while the order of the listing is trusted. */
    private @Nullable SeenNames seen = new SeenNames();

    private boolean isOrdered = true;
    private @Nullable String lastGiven;
    private @Nullable String lastDirectory;

    /** The greatest key so far, without the prefix. */
    private @Nullable String lastKey;

    Merge(String prefix, List<ListedName.Local> local) {
        this.prefix = prefix;
        this.local = local;
    }

    private Merge(Merge other, @Nullable SeenNames seen) {
        this.prefix = other.prefix;
        this.local = other.local;
        this.localGiven = other.localGiven;
        this.undecided = other.undecided;
        this.seen = seen;
        this.isOrdered = other.isOrdered;
        this.lastGiven = other.lastGiven;
        this.lastDirectory = other.lastDirectory;
        this.lastKey = other.lastKey;
    }

    /** The same once more, to be continued on its own; null where that would double many remembered names. */
    @Nullable
    Merge copy() {
        if (seen == null) {
            return new Merge(this, null);
        }
        return seen.isFew() ? new Merge(this, seen.copy()) : null;
    }

    /** Whether there are more names to remember than there is room for. */
    boolean isOverfull() {
        return seen != null && seen.isFull();
    }

    /** Puts the names that a page makes certain into the queue, sorted, and says whether the page had any that was new. */
    boolean add(ListedPage page, Queue<ListedName> ready) {
        checkOrder(page.names());
        List<ListedName.Remote> all = new ArrayList<>(undecided);
        all.addAll(page.names());
        all.sort(PageNames.ORDER);
        List<ListedName.Remote> open = new ArrayList<>();
        boolean isFruitful = false;
        for (ListedName.Remote each : all) {
            if (!page.isLast() && isOrdered && mayBeHiddenLater(each)) {
                open.add(each);
                isFruitful |= !undecided.contains(each);
            } else {
                giveLocal(each.name(), ready);
                isFruitful |= give(each, ready);
            }
        }
        undecided = List.copyOf(open);
        if (page.isLast()) {
            giveLocal(null, ready);
        }
        return isFruitful;
    }

    private void checkOrder(List<ListedName.Remote> page) {
        String last = lastKey;
        boolean isInOrder = true;
        for (ListedName.Remote each : page) {
            String key = each.key();
            isInOrder &= lastKey == null || ShownNames.compare(key, lastKey) > 0;
            if (last == null || ShownNames.compare(key, last) > 0) {
                last = key;
            }
        }
        lastKey = last;
        isOrdered &= isInOrder;
        if (!isOrdered && seen == null) {
            LOG.debug("the listing of {} is not in order", Quoted.text(prefix));
            seen = new SeenNames();
        } else if (isOrdered && seen != null && !seen.isFew()) {
            seen = null;
        }
    }

    /**
     * Listings are in the order of keys: a file comes before all names that begin with its own and go on with a character below the
     * slash, and a directory of its name comes after them, perhaps pages later.
     */
    private boolean mayBeHiddenLater(ListedName.Remote each) {
        return !each.isDirectory()
                && lastKey != null
                && lastKey.startsWith(each.name())
                && ShownNames.compare(lastKey, each.name() + '/') < 0;
    }

    /** Gives those names that exist only here and come before the given one; null for all that are left. */
    private void giveLocal(@Nullable String before, Queue<ListedName> ready) {
        while (localGiven < local.size()
                && (before == null || ShownNames.compare(local.get(localGiven).name(), before) < 0)) {
            ListedName.Local each = local.get(localGiven++);
            if (isNew(each.name())) {
                ready.add(each);
            }
        }
    }

    private boolean give(ListedName.Remote each, Queue<ListedName> ready) {
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
}
