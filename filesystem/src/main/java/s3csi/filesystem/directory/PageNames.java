package s3csi.filesystem.directory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.inode.Found;
import s3csi.filesystem.inode.ShownNames;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectInfo;
import s3csi.s3.Quoted;

/** The names in one page, sorted, a directory before a file of the same name. Keys that no path leads to are left out. */
final class PageNames {
    private static final Logger LOG = LoggerFactory.getLogger(PageNames.class);

    static final Comparator<ListedName.Remote> ORDER = Comparator.comparing(
                    ListedName.Remote::name, (String a, String b) -> ShownNames.compare(a, b))
            .thenComparingInt(each -> each.isDirectory() ? 0 : 1);

    private final String prefix;

    PageNames(String prefix) {
        this.prefix = prefix;
    }

    List<ListedName.Remote> of(ListingPage page, long askedAt) {
        List<ListedName.Remote> names =
                new ArrayList<>(page.objects().size() + page.commonPrefixes().size());
        for (String folded : page.commonPrefixes()) {
            add(names, folded, Found.DIRECTORY, askedAt);
        }
        for (ObjectInfo object : page.objects()) {
            addObject(names, object, askedAt);
        }
        names.sort(ORDER);
        return names;
    }

    private void addObject(List<ListedName.Remote> names, ObjectInfo object, long askedAt) {
        if (object.key().equals(prefix)) {
            // The marker of the directory itself.
            if (object.size() > 0) {
                LOG.warn("{} is a directory and an object with content, which cannot be reached", Quoted.text(prefix));
            }
        } else if (object.key().indexOf('/', prefix.length()) >= 0) {
            // Some stores do not fold what lies deeper.
            add(names, object.key(), Found.DIRECTORY, askedAt);
        } else {
            add(names, object.key(), object.isComplete() ? new Found.File(object) : null, askedAt);
        }
    }

    private void add(List<ListedName.Remote> names, String key, @Nullable Found found, long askedAt) {
        if (!key.startsWith(prefix)) {
            LOG.warn("the store listed {} below {}; hidden", Quoted.text(key), Quoted.text(prefix));
            return;
        }
        int slash = key.indexOf('/', prefix.length());
        String name = slash < 0 ? key.substring(prefix.length()) : key.substring(prefix.length(), slash);
        if (ShownNames.isValid(name)) {
            names.add(new ListedName.Remote(name, found, askedAt));
        } else {
            LOG.warn("{} is hidden: {} cannot be the name of a file", Quoted.text(key), Quoted.text(name));
        }
    }
}
