package s3csi.testbed.csi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import s3csi.csi.v1.NodeGrpc.NodeBlockingStub;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.NodeUnpublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.LastRites;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.S3Store;

/**
 * The driver as built in the role of a node, with engines as child processes; its plugin directory and the targets are below one
 * directory. Engines outlive the driver, so what is left of them is ended and unmounted at the close.
 */
public final class NodeProgram implements AutoCloseable {
    private static final Duration GONE_WITHIN = Duration.ofSeconds(10);

    private final List<String> command;
    private final Map<String, String> environment;
    private final Path directory;
    private final List<String> options;
    private Path targetRoot;
    private DriverProgram driver;

    private NodeProgram(List<String> command, Map<String, String> environment, Path directory, List<String> options) {
        this.command = command;
        this.environment = Map.copyOf(environment);
        this.directory = directory;
        this.options = options;
        this.targetRoot = pods();
        LastRites.beforeExit(LastRites.Order.MOUNTS, () -> clear(directory));
        driver = launch();
    }

    /** Starts it with the store's root keys as its own. */
    public static NodeProgram start(S3Store store, Path directory) {
        return start(environment(store), directory);
    }

    /** What a node is told about a store. */
    public static Map<String, String> environment(S3Store store) {
        Map<String, String> environment = new HashMap<>(DriverProgram.environment(store));
        environment.remove("CSI_CONTROLLER_ONLY");
        environment.put("CSI_NODE_NAME", "node-1");
        return environment;
    }

    public static NodeProgram start(Map<String, String> environment, Path directory, String... options) {
        return start(List.of(Tools.program("scality-s3-csi-driver").toString()), environment, directory, options);
    }

    /** Starts it by another command than the usual one, such as a JVM with other options. */
    public static NodeProgram start(
            List<String> command, Map<String, String> environment, Path directory, String... options) {
        try {
            // The mount table has no symbolic links.
            Path real = directory.toRealPath();
            Files.createDirectories(real.resolve("pods"));
            return new NodeProgram(command, environment, real, List.of(options));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make the directories of a node in " + directory, failure);
        }
    }

    private DriverProgram launch() {
        return DriverProgram.start(command, told(), directory, line());
    }

    /** Starts the same driver once more beside the one that runs, and does not wait for it. */
    public ChildProcess launchRival(Path log) {
        return DriverProgram.launch(command, told(), directory, log, line());
    }

    private Map<String, String> told() {
        Map<String, String> told = new HashMap<>(environment);
        told.put("HOST_PLUGIN_DIR", plugin().toString());
        return told;
    }

    private String[] line() {
        List<String> line = new ArrayList<>(List.of("--mounter=process", "--target-root=" + targetRoot));
        line.addAll(options);
        return line.toArray(String[]::new);
    }

    public DriverProgram driver() {
        return driver;
    }

    /** Kills the driver as a crash would; engines and mounts stay. */
    public void kill() {
        driver.process().kill();
    }

    /** Starts the driver again after its end. */
    public void startAgain() {
        startAgain(pods());
    }

    /** The same with targets elsewhere. */
    public void startAgain(Path root) {
        driver.close();
        targetRoot = root;
        driver = launch();
    }

    public Path plugin() {
        return directory.resolve("plugin");
    }

    /** Below it lie the targets. */
    public Path pods() {
        return directory.resolve("pods");
    }

    public Path target(String workload) {
        return pods().resolve(workload).resolve("mount");
    }

    public NodeBlockingStub node() {
        return driver.channel().node();
    }

    /** What an orchestrator sends for a volume that many may write, with a bucket of the volume's name. */
    public NodePublishVolumeRequest.Builder request(String bucket, String workload, String... mountOptions) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(bucket)
                .setTargetPath(target(workload).toString())
                .putVolumeContext("bucketName", bucket)
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(MountVolume.newBuilder().addAllMountFlags(List.of(mountOptions)))
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER)));
    }

    /** Publishes and returns the target. */
    public Path publish(String bucket, String workload, String... mountOptions) {
        return publish(request(bucket, workload, mountOptions));
    }

    public Path publish(NodePublishVolumeRequest.Builder request) {
        node().nodePublishVolume(request.build());
        return Path.of(request.getTargetPath());
    }

    public void unpublish(String bucket, String workload) {
        node().nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(bucket)
                .setTargetPath(target(workload).toString())
                .build());
    }

    /** Sources and targets, as the kernel lists them. */
    public List<MountEntry> mounts() {
        try {
            return MountTable.current().select(entry -> entry.isBelow(directory));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read the mount table", failure);
        }
    }

    public List<FoundEngine> engines() {
        return FoundEngine.below(plugin());
    }

    @Override
    public void close() {
        LastRites.notMeanwhile(() -> {
            driver.close();
            clear(directory);
        });
    }

    /** Ends the engines of a node in a directory and unmounts what they served, as if the node had been switched off. */
    public static void clear(Path directory) {
        List<FoundEngine> engines = FoundEngine.below(directory);
        engines.forEach(FoundEngine::kill);
        try {
            List<MountEntry> left = MountTable.current().select(entry -> entry.isBelow(directory));
            for (MountEntry entry : left.reversed()) {
                Mounts.unmount(Path.of(entry.mountPoint()), Mounts.Unmount.DETACH);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot unmount what is mounted below " + directory, failure);
        }
        Await.until(
                GONE_WITHIN,
                () -> "these engines do not die of SIGKILL: " + engines,
                () -> engines.stream().noneMatch(FoundEngine::isAlive));
    }
}
