package s3csi.s3;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a listing, in the store's order: most give keys in byte order, but nothing may rely on it, and a broken store may
 * repeat entries.
 *
 * @param continuation what asks for the next page; null on the last one
 */
public record ListingPage(
        List<ObjectInfo> objects,
        List<String> commonPrefixes,
        @Nullable String continuation) {
    public ListingPage {
        objects = List.copyOf(objects);
        commonPrefixes = List.copyOf(commonPrefixes);
    }

    public boolean isLast() {
        return continuation == null;
    }
}
