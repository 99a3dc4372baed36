package s3csi.filesystem.directory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a directory answered last: the kernel asks once more for what its reader had no room for.
 *
 * @param offset of the first name
 * @param names null where only {@code inShort} is left
 * @param inShort the names without what belongs to them, each followed by a slash; null where they are all there
 * @param before the name that was taken of the same page before these; null for none
 */
record LastAnswer(
        long offset,
        @Nullable List<ListedName> names,
        @Nullable String inShort,
        @Nullable String before) {
    /**
     * Kernels that ask once more for a part of an answer ask for a page of 4096 bytes at a time; others ask for as much as their reader
     * has room for.
     */
    private static final int LONGEST = 4096;

    LastAnswer(long offset, List<ListedName> names, @Nullable String before) {
        this(offset, names, null, before);
    }

    /** The name at an offset; null if it is not known any more what belongs to it. */
    @Nullable
    ListedName at(long wanted) {
        return names == null ? null : names.get((int) (wanted - offset));
    }

    /** The same with only what {@link #nameBefore} needs. Of an answer with many names, only how to go on behind it is left. */
    LastAnswer shortened() {
        if (names == null) {
            return this;
        }
        StringBuilder all = new StringBuilder();
        names.forEach(each ->
                all.append(each instanceof ListedName.Dot ? "" : each.name()).append('/'));
        return all.length() <= LONGEST ? new LastAnswer(offset, null, all.toString(), before) : end(names);
    }

    private LastAnswer end(List<ListedName> given) {
        return new LastAnswer(offset + given.size(), null, "", given.getLast().name());
    }

    /** The name of the page that comes before the one at that offset; null for none. */
    @Nullable
    String nameBefore(long wanted) {
        String all = inShort;
        int end = -1;
        int start = 0;
        for (long at = offset; all != null && at < wanted; at++) {
            start = end + 1;
            end = all.indexOf('/', start);
        }
        return all == null || end <= start ? before : all.substring(start, end);
    }
}
