package s3csi.driver.node.target;

import java.nio.file.Path;
import java.util.Optional;
import s3csi.volume.mount.Workload;

/**
 * Where a workload sees its volume.
 *
 * @param path as the mount table writes it
 * @param workload whose it is; empty where the path is not one that kubelet made
 */
public record Target(Path path, Optional<Workload> workload) {
    @Override
    public String toString() {
        return path.toString();
    }
}
