package s3csi.filesystem.memory;

/** What memory is for, most urgent first. */
public enum Priority {
    /** An application waits for these bytes. */
    FOREGROUND_READ,
    /** An application has written these bytes. */
    WRITE,
    /** Somebody may ask for these bytes. */
    PREFETCH,
    /** What is known of files: it has a share of its own, and never waits. */
    NAMES
}
