package s3csi.driver;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import s3csi.driver.cluster.ServiceAccount;
import s3csi.driver.node.PublishReader.WithoutSecret;
import s3csi.volume.mount.EnginePlace;
import s3csi.volume.mount.KubeletPaths;

/** What a driver is for, on the machine that it runs on. */
sealed interface NodeSetup {
    /** The CSI services that it has beside Identity, for the log. */
    String services();

    /** It makes and deletes buckets; its directory is its own, and it changes nothing on its machine. */
    record ControllerOnly() implements NodeSetup {
        @Override
        public String services() {
            return "controller";
        }
    }

    /**
     * It mounts volumes, too.
     *
     * @param id how the orchestrator knows the node
     * @param plugin the driver's directory; made if need be
     * @param targetRoot where targets may be; must exist
     */
    record Node(String id, Path plugin, Path targetRoot, Engines engines) implements NodeSetup {
        @Override
        public String services() {
            return "controller, node";
        }
    }

    /** How engines run. For each way there is a mounter. */
    sealed interface Engines {
        EnginePlace place();

        /**
         * As processes of their own beside the driver.
         *
         * @param command the program that serves a mount
         * @param store what every engine is told about the store
         * @param withoutSecret what becomes of volumes that want a Secret and get none
         */
        record Processes(Path command, Map<String, String> store, EnginePlace.Node place, WithoutSecret withoutSecret)
                implements Engines {}

        /**
         * In Mountpoint Pods.
         *
         * @param node its name in the cluster
         * @param namespace of the Mountpoint Pods
         * @param kubelet where kubelet has the directories of pods
         * @param server address of the API server
         * @param store what every engine is told about the store
         */
        record Pods(
                String node,
                String namespace,
                KubeletPaths kubelet,
                URI server,
                ServiceAccount account,
                Map<String, String> store)
                implements Engines {
            @Override
            public EnginePlace place() {
                return new EnginePlace.Pod();
            }
        }
    }
}
