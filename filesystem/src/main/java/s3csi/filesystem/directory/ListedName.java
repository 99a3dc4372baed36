package s3csi.filesystem.directory;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.inode.Found;
import s3csi.filesystem.inode.Inode;

/** A name of a listing, and where it comes from. */
sealed interface ListedName {
    String name();

    /** The directory itself, or the one above it. */
    record Dot(String name, Inode inode) implements ListedName {}

    /**
     * The store has it.
     *
     * @param found what it is; null if the listing left out what a file needs, so that the name must be looked up
     * @param askedAt when the page was asked for
     */
    record Remote(String name, @Nullable Found found, long askedAt) implements ListedName {
        boolean isDirectory() {
            return found instanceof Found.Directory;
        }

        /** The name as it is in the order of keys: a directory is a prefix that ends in a slash. */
        String key() {
            return isDirectory() ? name + '/' : name;
        }
    }

    /** It was made here, and the store may not have it yet. It may have gone from the directory since it was found there. */
    record Local(String name, Inode inode) implements ListedName {}
}
