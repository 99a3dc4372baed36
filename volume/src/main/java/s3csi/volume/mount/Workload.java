package s3csi.volume.mount;

/** A pod that uses a volume, as kubelet names both. */
public record Workload(String podUid, String persistentVolume) {}
