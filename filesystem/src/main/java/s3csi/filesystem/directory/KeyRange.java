package s3csi.filesystem.directory;

import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.inode.Names;
import s3csi.s3.ListRequest;

/** A stretch of a listing: first what asks for it, then the page it begins with. Keys are without the prefix of the directory. */
final class KeyRange {
    final ListRequest request;

    /** All keys of it are greater; null if nothing comes before it. */
    final @Nullable String after;

    /** No key of it is greater; null if it ends with the listing. */
    final @Nullable String through;

    /** Whether a key says where it begins, not a token: nobody knows then whether there is anything in it. */
    final boolean isGuess;

    /** The page on its way; null while nobody asked for it. */
    @Nullable
    PageFetch fetch;

    /** Those names of the page that belong to the range; null before it came. What follows them are ranges of their own. */
    @Nullable
    List<ListedName.Remote> names;

    /** Whether the store gave the token of the page before once more. */
    boolean isStuck;

    KeyRange(ListRequest request, @Nullable String after, @Nullable String through, boolean isGuess) {
        this.request = request;
        this.after = after;
        this.through = through;
        this.isGuess = isGuess;
    }

    static KeyRange whole(String prefix) {
        return new KeyRange(ListRequest.directory(prefix), null, null, false);
    }

    boolean isCut() {
        return isGuess || through != null;
    }

    /** Whether the key comes after the range. */
    boolean isBehind(String key) {
        return through != null && Names.compare(key, through) > 0;
    }

    /** Whether the key comes before the range, which is so only in a store that does not list in order. */
    boolean isBefore(String key) {
        return after != null && Names.compare(key, after) <= 0;
    }

    boolean hasCome() {
        return fetch != null && fetch.isDone();
    }

    void cancel() {
        if (fetch != null && names == null) {
            fetch.cancel();
        }
        fetch = null;
    }
}
