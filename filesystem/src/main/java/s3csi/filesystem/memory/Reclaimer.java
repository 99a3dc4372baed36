package s3csi.filesystem.memory;

/** Holds memory that it can do without. Called on the thread that waits for memory, without any lock of the pool. */
@FunctionalInterface
public interface Reclaimer {
    /** Gives back that many bytes, or as many as the pressure is worth. Must not wait. */
    void reclaim(long bytes, Pressure pressure);
}
