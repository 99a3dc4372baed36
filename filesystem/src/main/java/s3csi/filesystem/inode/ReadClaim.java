package s3csi.filesystem.inode;

/** One open of a file for reading. */
public final class ReadClaim {
    private final FileInode inode;

    /** Closed by somebody who has it, perhaps not by all. Looked at without the lock on the way of every read. */
    volatile boolean parked;

    ReadClaim(FileInode inode) {
        this.inode = inode;
    }

    public FileInode inode() {
        return inode;
    }

    /** Whether a read must tell {@link OpenRules#resume(ReadClaim)} first. */
    public boolean isParked() {
        return parked;
    }
}
