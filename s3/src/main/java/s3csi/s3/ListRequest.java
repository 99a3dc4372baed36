package s3csi.s3;

import org.jspecify.annotations.Nullable;

/**
 * One page of a listing.
 *
 * @param prefix only keys that begin with it; empty for all
 * @param delimiter keys that hold it after the prefix are folded into common prefixes; empty for none
 * @param maxKeys how many entries at most; 0 asks whether listing is allowed at all
 * @param continuation from the page before, null for the first page
 */
public record ListRequest(
        String prefix,
        String delimiter,
        int maxKeys,
        @Nullable String continuation) {
    /** What stores give at most in one page. */
    public static final int FULL_PAGE = 1000;

    public ListRequest {
        if (maxKeys < 0 || maxKeys > FULL_PAGE) {
            throw new IllegalArgumentException("a page holds 0 to " + FULL_PAGE + " keys, not " + maxKeys);
        }
    }

    /** The first page of all keys below a prefix. */
    public static ListRequest everythingBelow(String prefix) {
        return new ListRequest(prefix, "", FULL_PAGE, null);
    }

    /** The first page of the entries directly below a prefix, as a directory shows them. */
    public static ListRequest directory(String prefix) {
        return new ListRequest(prefix, "/", FULL_PAGE, null);
    }

    public ListRequest withMaxKeys(int count) {
        return new ListRequest(prefix, delimiter, count, continuation);
    }

    public ListRequest withContinuation(String token) {
        return new ListRequest(prefix, delimiter, maxKeys, token);
    }
}
