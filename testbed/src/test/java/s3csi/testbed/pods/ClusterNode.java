package s3csi.testbed.pods;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.NodeUnpublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.s3.testing.process.LastRites;
import s3csi.s3.testing.server.S3Store;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.csi.NodeProgram;
import s3csi.testbed.csi.SecretDirectory;

/** A node of a cluster: the driver as built with Mountpoint Pods, and kubelet's directory that both work in. */
final class ClusterNode implements AutoCloseable {
    private final Path account;
    private final Map<String, String> environment;
    private final Path directory;
    private DriverProgram driver;

    private ClusterNode(Path account, Map<String, String> environment, Path directory) {
        this.account = account;
        this.environment = environment;
        this.directory = directory;
        LastRites.beforeExit(LastRites.Order.MOUNTS, () -> NodeProgram.clear(directory));
        driver = launch();
    }

    /**
     * Starts the driver.
     *
     * @param account as whom it talks to the API server
     * @param keys the driver's own
     * @param name of the node in the cluster
     */
    static ClusterNode start(
            ControlPlane plane, Path account, S3Store store, SecretDirectory keys, String name, Path directory) {
        try {
            Path real = directory.toRealPath();
            Files.createDirectories(real.resolve("kubelet/pods"));
            Map<String, String> environment = new HashMap<>(NodeProgram.environment(store));
            environment.keySet().removeAll(List.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));
            environment.put("DRIVER_CREDENTIALS_DIR", keys.path().toString());
            environment.put("CSI_NODE_NAME", name);
            environment.put("NODE_NAME", name);
            environment.put("KUBELET_PATH", real.resolve("kubelet").toString());
            environment.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
            environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(plane.port()));
            return new ClusterNode(account, environment, real);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DriverProgram launch() {
        return DriverProgram.start(environment, directory, "--mounter=pod", "--service-account=" + account);
    }

    Path kubelet() {
        return directory.resolve("kubelet");
    }

    Path plugin() {
        return kubelet().resolve("plugins/s3.csi.scality.com");
    }

    Path directory() {
        return directory;
    }

    DriverProgram driver() {
        return driver;
    }

    /** As a crash and a restart by kubelet. */
    void killAndStartAgain() {
        driver.process().kill();
        driver.close();
        driver = launch();
    }

    /** Where kubelet wants a volume of a pod. */
    Path target(Pod workload, String persistentVolume) {
        return kubelet()
                .resolve("pods")
                .resolve(workload.getMetadata().getUid())
                .resolve("volumes/kubernetes.io~csi")
                .resolve(persistentVolume)
                .resolve("mount");
    }

    /** What kubelet sends for a volume of a pod. */
    NodePublishVolumeRequest.Builder request(Pod workload, String persistentVolume, String bucket) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId("handle-of-" + persistentVolume)
                .setTargetPath(target(workload, persistentVolume).toString())
                .putVolumeContext("bucketName", bucket)
                .putVolumeContext(
                        "csi.storage.k8s.io/pod.name", workload.getMetadata().getName())
                .putVolumeContext(
                        "csi.storage.k8s.io/pod.namespace",
                        workload.getMetadata().getNamespace())
                .putVolumeContext(
                        "csi.storage.k8s.io/pod.uid", workload.getMetadata().getUid())
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(MountVolume.newBuilder().addMountFlags("allow-delete"))
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER)));
    }

    /** Publishes and returns the target. */
    Path publish(NodePublishVolumeRequest.Builder request) {
        driver.channel().node().nodePublishVolume(request.build());
        return Path.of(request.getTargetPath());
    }

    void unpublish(Pod workload, String persistentVolume) {
        driver.channel()
                .node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId("handle-of-" + persistentVolume)
                        .setTargetPath(target(workload, persistentVolume).toString())
                        .build());
    }

    /** Sources and targets, as the kernel lists them. */
    List<MountEntry> mounts() {
        try {
            return MountTable.current().select(entry -> entry.isBelow(directory) && entry.isFuse());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        LastRites.notMeanwhile(() -> {
            driver.close();
            NodeProgram.clear(directory);
        });
    }
}
