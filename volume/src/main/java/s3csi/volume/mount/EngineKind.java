package s3csi.volume.mount;

/** Which engine is told about a mount. During an upgrade both kinds wait for mounts on a node. */
public enum EngineKind {
    /** The one of this release. */
    OURS,
    /** Mountpoint's own, in a pod that a driver of 2.x made. It ends at an option that it does not know. */
    MOUNTPOINT
}
