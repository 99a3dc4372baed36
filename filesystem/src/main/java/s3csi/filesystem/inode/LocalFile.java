package s3csi.filesystem.inode;

/** A file that the store does not have yet, or not in this form. The times are guarded by the table's lock. */
public final class LocalFile {
    /** False between mknod and the first open. */
    boolean opened;

    /** Nanoseconds since the epoch. */
    long accessed;

    long modified;

    private volatile long size;

    LocalFile(long size, long now, boolean opened) {
        this.size = size;
        this.accessed = now;
        this.modified = now;
        this.opened = opened;
    }

    /** The bytes that were accepted so far: what stat shows. */
    public void setSize(long bytes) {
        size = bytes;
    }

    long size() {
        return size;
    }
}
