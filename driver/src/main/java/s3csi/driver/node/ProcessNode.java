package s3csi.driver.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A node whose engines are child processes, put together.
 *
 * @param nodeId how the orchestrator knows the node
 * @param plugin the driver's directory; made if need be
 * @param targetRoot where targets may be; must exist
 * @param mounterCommand the program that serves a mount
 * @param engineEnvironment what every engine is told about the store
 */
public record ProcessNode(
        String nodeId, Path plugin, Path targetRoot, Path mounterCommand, Map<String, String> engineEnvironment) {
    /** The service and what cleans up behind it. */
    public record Parts(NodeService service, Sweeper sweeper) {}

    public Parts start(PublishReader reader) throws IOException {
        Files.createDirectories(plugin);
        MountCalls mounts = new KernelMounts();
        BindMounts targets = new BindMounts(mounts, targetRoot);
        ProcessMounter mounter = new ProcessMounter(
                mounts,
                new SpawnedEngines(mounterCommand),
                plugin.toRealPath(),
                targetRoot.toRealPath(),
                engineEnvironment);
        NodeService service = new NodeService(nodeId, reader, targets, mounter, new VolumeStats(mounts));
        return new Parts(service, new Sweeper(mounter::sweep));
    }
}
