package s3csi.fuse;

/**
 * A name that was found: the inode behind it, and for how long the kernel may trust name and attributes.
 *
 * <p>Each entry that reaches the kernel (by LOOKUP, MKNOD, MKDIR, SYMLINK, LINK, CREATE, or READDIRPLUS for names other than
 * {@code .} and {@code ..}) adds one to the lookup count of its node, which FORGET takes back later.
 *
 * @param node the node id that later requests name; 1 is the root, 0 is reserved
 * @param generation tells two uses of one node id apart; together they are unique for the life of the mount
 * @param nameValidNanos how long the kernel keeps the name without asking
 * @param attributesValidNanos how long it keeps the attributes without asking
 */
public record Entry(long node, long generation, Attributes attributes, long nameValidNanos, long attributesValidNanos) {
    public Entry {
        if (node == 0) {
            throw new IllegalArgumentException("node id 0 means \"no such name\"; answer EntryReply.absent instead");
        }
    }
}
