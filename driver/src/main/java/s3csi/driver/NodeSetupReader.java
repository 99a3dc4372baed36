package s3csi.driver;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import s3csi.driver.cluster.ApiServer;
import s3csi.driver.cluster.ServiceAccount;
import s3csi.driver.node.PublishReader.WithoutSecret;
import s3csi.volume.Printable;
import s3csi.volume.mount.EnginePlace;
import s3csi.volume.mount.KubeletPaths;

/** Reads what the node service is told. */
final class NodeSetupReader {
    private static final String MOUNTER = "scality-s3-csi-mounter";
    private static final String MOUNTPOINT_NAMESPACE = "mount-s3";
    private static final Pattern TOTAL_KIB = Pattern.compile("MemTotal: +([0-9]{1,15}) kB");

    /** MiB that an engine needs. */
    private static final int LEAST_MEMORY = 128;

    private NodeSetupReader() {}

    static NodeSetup.Node read(
            String nodeId, DriverOptions options, Map<String, String> environment, Optional<Path> neighbours) {
        String kubelet = DriverConfig.value(environment, "KUBELET_PATH");
        KubeletPaths paths = new KubeletPaths(kubelet.isEmpty() ? KubeletPaths.DEFAULT_ROOT : kubelet);
        NodeSetup.Engines engines = engines(nodeId, paths, options, environment, neighbours);
        String plugin = DriverConfig.value(environment, "HOST_PLUGIN_DIR");
        return new NodeSetup.Node(
                nodeId,
                absolute(
                        "the plugin directory",
                        plugin.isEmpty() ? paths.pluginDirectory() : plugin,
                        IllegalArgumentException::new),
                targetRoot(options.targetRoot.isEmpty() ? paths.pods() : options.targetRoot),
                engines);
    }

    private static NodeSetup.Engines engines(
            String nodeId,
            KubeletPaths kubelet,
            DriverOptions options,
            Map<String, String> environment,
            Optional<Path> neighbours) {
        return switch (options.mounter) {
            case "process" ->
                new NodeSetup.Engines.Processes(
                        command(options.mounterCommand, neighbours),
                        store(environment, "AWS_ENDPOINT_URL", "AWS_REGION", "AWS_CA_BUNDLE"),
                        new EnginePlace.Node(mostMemory(options.mostMemory)),
                        options.driverKeysWithoutSecret ? WithoutSecret.DRIVER_KEYS : WithoutSecret.REFUSED);
            case "pod" -> pods(nodeId, kubelet, options, environment);
            default ->
                throw new WrongUsage("--mounter must be process or pod, not " + Printable.quoted(options.mounter));
        };
    }

    private static NodeSetup.Engines.Pods pods(
            String nodeId, KubeletPaths kubelet, DriverOptions options, Map<String, String> environment) {
        String node = DriverConfig.value(environment, "NODE_NAME");
        String namespace = DriverConfig.value(environment, "MOUNTPOINT_NAMESPACE");
        URI server = ApiServer.addressIn(environment)
                .orElseThrow(
                        () -> new IllegalArgumentException("this is no pod of a cluster: KUBERNETES_SERVICE_HOST and"
                                + " KUBERNETES_SERVICE_PORT are not set. Pass --mounter=process to mount without Kubernetes, or set"
                                + " CSI_CONTROLLER_ONLY=true to run the controller"));
        return new NodeSetup.Engines.Pods(
                node.isEmpty() ? nodeId : node,
                namespace.isEmpty() ? MOUNTPOINT_NAMESPACE : namespace,
                kubelet,
                server,
                new ServiceAccount(absolute("--service-account", options.serviceAccount, WrongUsage::new)),
                // The certificates of private authorities are elsewhere in a pod.
                store(environment, "AWS_ENDPOINT_URL", "AWS_REGION"));
    }

    private static int mostMemory(int given) {
        if (given == 0) {
            return quarterOfTheMachine();
        }
        if (given < LEAST_MEMORY) {
            throw new WrongUsage("--max-memory-target must be at least " + LEAST_MEMORY + ", not " + given);
        }
        return given;
    }

    /** MiB. A few volumes may then ask for all they can get without the node running out of memory. */
    private static int quarterOfTheMachine() {
        try {
            Matcher total = TOTAL_KIB.matcher(Files.readString(Path.of("/proc/meminfo")));
            if (total.find()) {
                return (int) Math.max(LEAST_MEMORY, Long.parseLong(total.group(1)) / 1024 / 4);
            }
            throw new IOException("there is no line MemTotal");
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the size of this machine's memory cannot be read from /proc/meminfo: pass --max-memory-target", e);
        }
    }

    private static Path targetRoot(String text) {
        Path root = absolute("--target-root", text, WrongUsage::new);
        if (!Files.isDirectory(root)) {
            throw new IllegalArgumentException(
                    "--target-root must be a directory that exists, not " + Printable.quoted(text));
        }
        return root;
    }

    private static Path absolute(String what, String text, Function<String, IllegalArgumentException> refusal) {
        Path path = Path.of(text);
        if (!path.isAbsolute()) {
            throw refusal.apply(what + " must be an absolute path, not " + Printable.quoted(text));
        }
        return path.normalize();
    }

    /** Whether it can be started is found out, and said, when a volume is mounted: it may be installed later. */
    private static Path command(String given, Optional<Path> neighbours) {
        if (!given.isEmpty()) {
            return absolute("--mounter-command", given, WrongUsage::new);
        }
        return neighbours
                .map(directory -> directory.resolve(MOUNTER))
                .orElseThrow(() -> new IllegalArgumentException(
                        "this program does not know where it is installed: pass --mounter-command"));
    }

    /** Engines that see the driver's own files can use its CA bundle. */
    private static Map<String, String> store(Map<String, String> environment, String... names) {
        Map<String, String> told = new TreeMap<>();
        for (String name : names) {
            String value = DriverConfig.value(environment, name);
            if (!value.isEmpty()) {
                told.put(name, value);
            }
        }
        return told;
    }
}
