package s3csi.filesystem.inode;

/** How others who want to open a file stand with the one who has it open for writing. */
public enum Standing {
    /** Opened to be written on, and not written to yet: others may read what is stored, but not write. */
    READY,
    /** Opened or written to, and not closed since: others may not open it. */
    IN_USE,
    /** Closed, and not stored yet: others wait for that. */
    CLOSED,
    /** Stored: others may read it, or take over. */
    STORED
}
