package s3csi.driver.node.source;

/** What serves a mount, or will, as far as it can be watched: a process here, or one that another program started and ends. */
public interface Engine {
    boolean isAlive();

    /** What it said last in its log, for a failure it gave no report of. */
    byte[] lastWords();
}
