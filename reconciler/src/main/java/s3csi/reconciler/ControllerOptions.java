package s3csi.reconciler;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line. Defaults that come from the environment are filled in by {@link ControllerConfig}. */
@Command(
        name = "scality-csi-controller",
        sortOptions = false,
        usageHelpWidth = 100,
        subcommands = {ReleaseCommand.ApplyDefinition.class, ReleaseCommand.BeforeUninstall.class},
        description = {
            "Makes a Mountpoint Pod for every workload with a volume of the CSI driver for S3,",
            "and removes those that are no longer needed. Of several controllers one leads."
        },
        footer = {
            "",
            "Exit codes: 0 stopped or printed what was asked for, 1 cannot run or lost its lease, 2 wrong usage,",
            "3 cannot go on after an error of the JVM, 4 refused: its last lines say why."
        })
final class ControllerOptions {
    @Option(
            names = "--mountpoint-namespace",
            paramLabel = "NAME",
            description = "namespace of Mountpoint Pods (default $MOUNTPOINT_NAMESPACE)")
    String namespace = "";

    @Option(
            names = "--mountpoint-version",
            paramLabel = "VERSION",
            description = "version of the engine, for a label (default $MOUNTPOINT_VERSION, else the release)")
    String engineVersion = "";

    @Option(
            names = "--mountpoint-priority-class-name",
            paramLabel = "NAME",
            description = "priority class of Mountpoint Pods (default $MOUNTPOINT_PRIORITY_CLASS_NAME)")
    String priorityClass = "";

    @Option(
            names = "--mountpoint-image",
            paramLabel = "IMAGE",
            description = "image of Mountpoint Pods (default $MOUNTPOINT_IMAGE)")
    String image = "";

    @Option(
            names = "--mountpoint-image-pull-policy",
            paramLabel = "POLICY",
            description = "Always, IfNotPresent or Never (default $MOUNTPOINT_IMAGE_PULL_POLICY, else IfNotPresent)")
    String pullPolicy = "";

    @Option(
            names = "--mountpoint-image-pull-secret",
            paramLabel = "NAME",
            description = "Secret with the keys of the image's registry, in the namespace of Mountpoint Pods;"
                    + " may be given several times (default $MOUNTPOINT_IMAGE_PULL_SECRETS, a list as JSON)")
    String[] pullSecrets = {};

    @Option(
            names = "--mountpoint-pod-labels",
            paramLabel = "JSON",
            description = "labels for Mountpoint Pods beside their own, such as {\"team\": \"storage\"}"
                    + " (default $MOUNTPOINT_POD_LABELS, else none)")
    String labels = "";

    @Option(
            names = "--mountpoint-resources",
            paramLabel = "JSON",
            description = "requests and limits of Mountpoint Pods where a volume does not say, as in a pod:"
                    + " {\"requests\": {\"memory\": \"128Mi\"}} (default $MOUNTPOINT_RESOURCES, else none)")
    String resources = "";

    @Option(
            names = "--mountpoint-container-command",
            paramLabel = "FILE",
            defaultValue = "/bin/scality-s3-csi-mounter",
            description = "the program that serves a mount (default ${DEFAULT-VALUE})")
    String command = "";

    @Option(
            names = "--tls-ca-cert-configmap",
            paramLabel = "NAME",
            description = "ConfigMap with certificates of private authorities in ca-bundle.crt"
                    + " (default $TLS_CA_CERT_CONFIGMAP, else none)")
    String authorities = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "how to reach the API server (default: as the pod that this is)")
    String kubeconfig = "";

    @Option(
            names = "--leader-election-namespace",
            paramLabel = "NAME",
            description = "namespace of the lease (default: that of the pod that this is)")
    String leaseNamespace = "";

    @Option(
            names = "--provision",
            description = "make the volumes of claims and delete those that were released, too,"
                    + " where no csi-provisioner sidecar does it (default: off)")
    boolean provision;

    @Option(
            names = "--csi-address",
            paramLabel = "URL",
            defaultValue = "unix:///csi/csi.sock",
            description = "with --provision: the socket of the driver, which makes the buckets"
                    + " (default ${DEFAULT-VALUE})")
    String csiAddress = "";

    @Option(
            names = "--http-endpoint",
            paramLabel = "HOST:PORT",
            defaultValue = ":8080",
            description =
                    "where /healthz and /metrics listen (default ${DEFAULT-VALUE}, on every address); empty: nowhere")
    String httpEndpoint = "";

    @Option(
            names = {"--v", "-v"},
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "log verbosity: 4 shows every decision, 5 details, 6 libraries too (default ${DEFAULT-VALUE})")
    int verbosity;

    @Option(names = "--version", description = "print the version as JSON and exit")
    boolean version;

    @Option(
            names = {"--help", "-h"},
            usageHelp = true,
            description = "print this text and exit")
    boolean help;

    // What only releases 2.x needed, so that their manifests go on working.
    @Option(
            names = {
                "--mountpoint-preempting-priority-class-name",
                "--mountpoint-headroom-priority-class-name",
                "--headroom-image",
                "--tls-init-image",
                "--tls-init-image-pull-policy",
                "--tls-init-resources-req-cpu",
                "--tls-init-resources-req-memory",
                "--tls-init-resources-lim-memory"
            },
            hidden = true)
    String[] without = {};
}
