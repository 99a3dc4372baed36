package s3csi.driver;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line. Defaults that come from the environment are filled in by {@link DriverConfig}. */
@Command(
        name = "scality-s3-csi-driver",
        sortOptions = false,
        usageHelpWidth = 100,
        description = {
            "The CSI driver for S3: mounts buckets on the node it runs on,",
            "and with CSI_CONTROLLER_ONLY=true makes and deletes them."
        },
        footer = {
            "",
            "Environment:",
            "  AWS_ENDPOINT_URL        the store, required",
            "  AWS_REGION              region to sign for (default us-east-1)",
            "  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN",
            "                          the driver's own keys",
            "  DRIVER_CREDENTIALS_DIR  directory with the files access_key_id, secret_access_key and",
            "                          session_token, read again for every call; wins over the keys above",
            "  AWS_CA_BUNDLE           PEM file, or directory of .pem and .crt files, of CAs to trust beside the system's; read again when it changes",
            "  CSI_CONTROLLER_ONLY     true: Identity and Controller services only",
            "  KUBELET_PATH            kubelet's directory (default /var/lib/kubelet)",
            "  HOST_PLUGIN_DIR         the driver's directory on the node",
            "                          (default $KUBELET_PATH/plugins/s3.csi.scality.com)",
            "  MOUNTPOINT_NAMESPACE    where the Mountpoint Pods are (default mount-s3)",
            "  NODE_NAME               name of the node in the cluster (default the node id)",
            "  KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT",
            "                          the API server, required with --mounter=pod; kubelet sets them",
            "",
            "Exit codes: 0 stopped or printed what was asked for, 1 cannot run, 2 wrong usage,",
            "3 cannot go on after an error of the JVM."
        })
final class DriverOptions {
    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "unix://tmp/csi.sock",
            description = "where the CSI services listen: unix:///path or tcp://host:port (default ${DEFAULT-VALUE})")
    String endpoint = "";

    @Option(names = "--node-id", paramLabel = "ID", description = "node id in NodeGetInfo (default $CSI_NODE_NAME)")
    String nodeId = "";

    @Option(
            names = "--mp-version",
            paramLabel = "VERSION",
            description = "version of the engine, for the log (default $MOUNTPOINT_VERSION)")
    String mountpointVersion = "";

    @Option(
            names = "--mounter",
            paramLabel = "KIND",
            defaultValue = "pod",
            description = "where engines run: in Mountpoint Pods (pod, the default) or as child processes (process)")
    String mounter = "";

    @Option(
            names = "--service-account",
            paramLabel = "DIR",
            defaultValue = "/var/run/secrets/kubernetes.io/serviceaccount",
            description =
                    "with --mounter=pod: the files token, ca.crt and namespace, by which the driver talks to the API"
                            + " server (default ${DEFAULT-VALUE})")
    String serviceAccount = "";

    @Option(
            names = "--target-root",
            paramLabel = "DIR",
            description = "targets must be below it (default $KUBELET_PATH/pods)")
    String targetRoot = "";

    @Option(
            names = "--mounter-command",
            paramLabel = "FILE",
            description = "with --mounter=process: the program that serves a mount"
                    + " (default scality-s3-csi-mounter next to this one)")
    String mounterCommand = "";

    @Option(
            names = "--driver-keys-without-secret",
            description = "with --mounter=process: mount volumes with authenticationSource secret that come without"
                    + " a Secret with the driver's own keys, instead of refusing them")
    boolean driverKeysWithoutSecret;

    @Option(
            names = "--max-memory-target",
            paramLabel = "MIB",
            description = "with --mounter=process: the most that the option memory-target of a volume may ask for"
                    + " (default: a quarter of the machine's memory)")
    int mostMemory;

    @Option(
            names = "--registration-dir",
            paramLabel = "DIR",
            description = "make the driver known to kubelet by a socket in this directory, which kubelet watches:"
                    + " $KUBELET_PATH/plugins_registry on the node (default: a sidecar does it)")
    String registrationDirectory = "";

    @Option(
            names = "--kubelet-registration-path",
            paramLabel = "FILE",
            description = "with --registration-dir: the CSI socket as kubelet sees it"
                    + " (default: the name of the socket in $HOST_PLUGIN_DIR)")
    String registrationPath = "";

    @Option(
            names = "--http-endpoint",
            paramLabel = "HOST:PORT",
            defaultValue = ":9808",
            description = "where /healthz and /metrics listen (default ${DEFAULT-VALUE}, on every address);"
                    + " 127.0.0.1:9808 or [::1]:9808 only this machine can reach; empty: nowhere")
    String httpEndpoint = "";

    @Option(
            names = "--ignore-unknown-parameters",
            description = "accept unknown StorageClass parameters, as 2.x did, instead of refusing the volume")
    boolean ignoreUnknownParameters;

    @Option(
            names = {"--v", "-v"},
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "log verbosity: 4 shows every CSI call, 5 details, 6 libraries too (default ${DEFAULT-VALUE})")
    int verbosity;

    @Option(names = "--version", description = "print the version as JSON and exit")
    boolean version;

    @Option(
            names = {"--help", "-h"},
            usageHelp = true,
            description = "print this text and exit")
    boolean help;
}
