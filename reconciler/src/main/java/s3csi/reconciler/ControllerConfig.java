package s3csi.reconciler;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import s3csi.health.HealthServer;
import s3csi.kubernetes.Cluster;
import s3csi.kubernetes.Labels;
import s3csi.program.Release;
import s3csi.provisioner.csi.CsiAddress;
import s3csi.reconciler.model.MountpointPodSettings;
import s3csi.volume.Printable;

/**
 * Everything the controller is told, checked before anything starts. Throws IllegalArgumentException in an administrator's words.
 *
 * @param settings as for any cluster; whether it is OpenShift is found out later
 * @param provisioning where the driver is that makes volumes; empty if a sidecar asks it
 */
record ControllerConfig(
        Cluster cluster,
        MountpointPodSettings settings,
        String leaseNamespace,
        Optional<InetSocketAddress> http,
        Optional<CsiAddress> provisioning) {
    private static final Set<String> PULL_POLICIES = Set.of("Always", "IfNotPresent", "Never");

    static ControllerConfig of(ControllerOptions options, Map<String, String> environment, Path serviceAccount) {
        String pullPolicy = first(options.pullPolicy, environment.get("MOUNTPOINT_IMAGE_PULL_POLICY"), "IfNotPresent");
        if (!PULL_POLICIES.contains(pullPolicy)) {
            throw new IllegalArgumentException(
                    "--mountpoint-image-pull-policy must be Always, IfNotPresent or Never, not "
                            + Printable.quoted(pullPolicy));
        }
        String authorities = first(options.authorities, environment.get("TLS_CA_CERT_CONFIGMAP"), "");
        String release = Release.current().version();
        return new ControllerConfig(
                options.kubeconfig.isEmpty()
                        ? Cluster.ofPod(environment, serviceAccount)
                        : Cluster.of(Path.of(options.kubeconfig)),
                new MountpointPodSettings(
                        required("mountpoint-namespace", options.namespace, environment, "MOUNTPOINT_NAMESPACE"),
                        release,
                        engineVersion(first(options.engineVersion, environment.get("MOUNTPOINT_VERSION"), release)),
                        required("mountpoint-image", options.image, environment, "MOUNTPOINT_IMAGE"),
                        pullPolicy,
                        pullSecrets(options, environment),
                        options.command,
                        required(
                                "mountpoint-priority-class-name",
                                options.priorityClass,
                                environment,
                                "MOUNTPOINT_PRIORITY_CLASS_NAME"),
                        GivenJson.labels(first(options.labels, environment.get("MOUNTPOINT_POD_LABELS"), "")),
                        authorities.isEmpty() ? Optional.empty() : Optional.of(authorities),
                        GivenJson.resources(first(options.resources, environment.get("MOUNTPOINT_RESOURCES"), "")),
                        false),
                leaseNamespace(options, serviceAccount),
                httpAddress(options.httpEndpoint),
                options.provision ? Optional.of(csiAddress(options.csiAddress)) : Optional.empty());
    }

    private static CsiAddress csiAddress(String text) {
        try {
            return CsiAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--csi-address: " + e.getMessage(), e);
        }
    }

    /** A text that no label can hold would have every Mountpoint Pod refused. */
    private static String engineVersion(String text) {
        if (!Labels.canHold(text)) {
            throw new IllegalArgumentException("--mountpoint-version must be a text that a label can hold, not "
                    + Printable.quoted(text) + "; leave it and MOUNTPOINT_VERSION away for this release's");
        }
        return text;
    }

    private static List<String> pullSecrets(ControllerOptions options, Map<String, String> environment) {
        return options.pullSecrets.length > 0
                ? List.of(options.pullSecrets)
                : GivenJson.names(environment.getOrDefault("MOUNTPOINT_IMAGE_PULL_SECRETS", ""));
    }

    private static Optional<InetSocketAddress> httpAddress(String text) {
        try {
            return HealthServer.address(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--http-endpoint: " + e.getMessage(), e);
        }
    }

    private static String required(String option, String given, Map<String, String> environment, String variable) {
        String value = first(given, environment.get(variable), "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException(option + " is required: pass --" + option + " or set " + variable);
        }
        return value;
    }

    private static String first(String given, @Nullable String fromEnvironment, String other) {
        if (!given.isEmpty()) {
            return given;
        }
        return fromEnvironment == null || fromEnvironment.isEmpty() ? other : fromEnvironment;
    }

    /** Kubelet tells a pod which namespace it is in. */
    private static String leaseNamespace(ControllerOptions options, Path serviceAccount) {
        if (!options.leaseNamespace.isEmpty()) {
            return options.leaseNamespace;
        }
        try {
            return Files.readString(serviceAccount.resolve("namespace")).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "this is no pod of a cluster, so name the lease's namespace with --leader-election-namespace", e);
        }
    }
}
