package s3csi.filesystem.directory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of one page, sorted.
 *
 * @param continuation what asks for the next page; null on the last one
 */
record ListedPage(List<ListedName.Remote> names, @Nullable String continuation) {
    boolean isLast() {
        return continuation == null;
    }
}
