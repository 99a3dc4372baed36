package s3csi.volume.mount;

import s3csi.volume.Driver;

/**
 * Where kubelet and this driver keep things on a node. They are the same in every release, as running mounts outlive the driver.
 *
 * @param root kubelet's directory, usually {@code /var/lib/kubelet}
 */
public record KubeletPaths(String root) {
    public static final String DEFAULT_ROOT = "/var/lib/kubelet";

    public KubeletPaths {
        root = root.length() > 1 && root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
    }

    /** Where the targets of workloads are. */
    public String pods() {
        return root + "/pods";
    }

    public String pluginDirectory() {
        return root + "/plugins/" + Driver.NAME;
    }

    /** The source of a Mountpoint Pod. */
    public String source(String mountpointPod) {
        return pluginDirectory() + "/mnt/" + mountpointPod;
    }

    /** The comm directory of a Mountpoint Pod, which sees it as {@code /comm}. */
    public String comm(String mountpointPodUid) {
        return pods() + "/" + mountpointPodUid + "/volumes/kubernetes.io~empty-dir/comm";
    }
}
