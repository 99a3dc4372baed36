package s3csi.reconciler;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import s3csi.kubernetes.Cluster;
import s3csi.reconciler.release.Definition;
import s3csi.reconciler.release.Uninstallation;

/** A word behind the program's name: something that the chart has done once, and that ends. */
abstract sealed class ReleaseCommand {
    /** For what the API server does by itself. */
    private static final Duration SOON = Duration.ofSeconds(60);

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "how to reach the API server (default: as the pod that this is)")
    String kubeconfig = "";

    @Option(
            names = {"--help", "-h"},
            usageHelp = true,
            description = "print this text and exit")
    boolean help;

    /** Does it; throws {@link s3csi.reconciler.release.Refused} where a person has to see to something first. */
    abstract void run(KubernetesClient client) throws InterruptedException;

    final Cluster cluster(Map<String, String> environment, Path serviceAccount) {
        return kubeconfig.isEmpty() ? Cluster.ofPod(environment, serviceAccount) : Cluster.of(Path.of(kubeconfig));
    }

    @Command(
            name = "apply-definition",
            usageHelpWidth = 100,
            description = "Makes the definition of attachments in the cluster that of this release, and exits.")
    static final class ApplyDefinition extends ReleaseCommand {
        @Override
        void run(KubernetesClient client) throws InterruptedException {
            new Definition(client).apply(SOON);
            System.out.println("the definition of attachments is that of this release");
        }
    }

    @Command(
            name = "before-uninstall",
            usageHelpWidth = 100,
            description = {
                "Has everything unmounted that no pod uses, deletes its attachments, and exits.",
                "It refuses while pods use volumes, and names them."
            })
    static final class BeforeUninstall extends ReleaseCommand {
        @Option(
                names = "--mountpoint-namespace",
                paramLabel = "NAME",
                required = true,
                description = "namespace of Mountpoint Pods")
        String namespace = "";

        @Option(names = "--force", description = "break the mounts of pods that still run")
        boolean isForced;

        @Option(names = "--delete-definition", description = "delete the definition of attachments, too")
        boolean deletesDefinition;

        @Option(
                names = "--patience",
                paramLabel = "SECONDS",
                defaultValue = "60",
                description =
                        "how long to wait for Mountpoint Pods that store what was written (default ${DEFAULT-VALUE})")
        int patience;

        @Override
        void run(KubernetesClient client) throws InterruptedException {
            new Uninstallation(client, namespace, isForced, Duration.ofSeconds(patience), System.out::println)
                    .prepare();
            if (deletesDefinition) {
                new Definition(client).delete(SOON);
                System.out.println("the definition of attachments was deleted");
            }
        }
    }
}
