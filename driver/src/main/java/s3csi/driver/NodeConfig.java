package s3csi.driver;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import s3csi.driver.node.ProcessNode;
import s3csi.volume.Printable;
import s3csi.volume.mount.KubeletPaths;

/** What the node service is told. */
final class NodeConfig {
    private static final String MOUNTER = "scality-s3-csi-mounter";

    private NodeConfig() {}

    static ProcessNode of(
            String nodeId, DriverOptions options, Map<String, String> environment, Optional<Path> neighbours) {
        requireProcess(options.mounter);
        String kubelet = DriverConfig.value(environment, "KUBELET_PATH");
        KubeletPaths paths = new KubeletPaths(kubelet.isEmpty() ? KubeletPaths.DEFAULT_ROOT : kubelet);
        String plugin = DriverConfig.value(environment, "HOST_PLUGIN_DIR");
        return new ProcessNode(
                nodeId,
                absolute("the plugin directory", plugin.isEmpty() ? paths.pluginDirectory() : plugin),
                targetRoot(options.targetRoot.isEmpty() ? paths.pods() : options.targetRoot),
                command(options.mounterCommand, neighbours),
                engineEnvironment(environment));
    }

    private static void requireProcess(String mounter) {
        switch (mounter) {
            case "process" -> {}
            case "pod" ->
                throw new IllegalArgumentException("this release cannot mount by Mountpoint Pods yet:"
                        + " pass --mounter=process, or set CSI_CONTROLLER_ONLY=true to run the controller");
            default ->
                throw new IllegalArgumentException(
                        "--mounter must be process or pod, not " + Printable.quoted(mounter));
        }
    }

    private static Path targetRoot(String text) {
        Path root = absolute("--target-root", text);
        if (!Files.isDirectory(root)) {
            throw new IllegalArgumentException(
                    "--target-root must be a directory that exists, not " + Printable.quoted(text));
        }
        return root;
    }

    private static Path absolute(String what, String text) {
        Path path = Path.of(text);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException(what + " must be an absolute path, not " + Printable.quoted(text));
        }
        return path.normalize();
    }

    /** Whether it can be started is found out, and said, when a volume is mounted: it may be installed later. */
    private static Path command(String given, Optional<Path> neighbours) {
        if (!given.isEmpty()) {
            return absolute("--mounter-command", given);
        }
        return neighbours
                .map(directory -> directory.resolve(MOUNTER))
                .orElseThrow(() -> new IllegalArgumentException(
                        "this program does not know where it is installed: pass --mounter-command"));
    }

    /** Engines on this node see the driver's own files, so they can use its CA bundle. */
    private static Map<String, String> engineEnvironment(Map<String, String> environment) {
        Map<String, String> told = new TreeMap<>();
        for (String name : new String[] {"AWS_ENDPOINT_URL", "AWS_REGION", "AWS_CA_BUNDLE"}) {
            String value = DriverConfig.value(environment, name);
            if (!value.isEmpty()) {
                told.put(name, value);
            }
        }
        return told;
    }
}
