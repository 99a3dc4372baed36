package s3csi.filesystem.memory;

/** How much memory is missed. */
public enum Pressure {
    /** Somebody waits: what nobody has used lately should go. */
    WAITING,
    /** Somebody has waited for a while: whatever can be fetched again should go. */
    STARVING
}
