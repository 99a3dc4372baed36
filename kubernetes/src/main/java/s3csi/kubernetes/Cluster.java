package s3csi.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a program of ours reaches the API server: as the pod that it runs in, or as a kubeconfig says.
 *
 * <p>Only what is given counts. The client library would also look into system properties, the environment and the home directory, and
 * could be led elsewhere by a variable that was meant for another program.
 */
public final class Cluster {
    /** Where kubelet puts what a pod needs to talk to its cluster. */
    public static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** For the beginning of an answer; a list of all pods of a large cluster takes seconds. */
    private static final Duration REQUEST = Duration.ofSeconds(30);

    /** How often a watch asks whether its server is there; one that went away without a word is noticed after three of these. */
    private static final Duration PING = Duration.ofSeconds(30);

    /** A request is repeated by whoever needs its answer, who also knows when to give up. */
    private static final int REPETITIONS = 3;

    private final Config config;
    private final Duration request;
    private final Duration ping;

    private Cluster(Config config) {
        this(config, REQUEST, PING);
    }

    private Cluster(Config config, Duration request, Duration ping) {
        this.config = config;
        this.request = request;
        this.ping = ping;
    }

    /**
     * The cluster that this process is a pod of.
     *
     * @param serviceAccount usually {@link #SERVICE_ACCOUNT}
     */
    public static Cluster ofPod(Map<String, String> environment, Path serviceAccount) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
        if (host.isEmpty() || port.isEmpty()) {
            throw new IllegalArgumentException("this is no pod of a cluster: KUBERNETES_SERVICE_HOST and"
                    + " KUBERNETES_SERVICE_PORT are not set; name a kubeconfig with --kubeconfig");
        }
        return new Cluster(new ConfigBuilder(Config.empty())
                .withMasterUrl("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/")
                .withCaCertFile(serviceAccount.resolve("ca.crt").toString())
                // Kubelet renews it, so it is read for each request.
                .withOauthTokenProvider(() -> token(serviceAccount.resolve("token")))
                .build());
    }

    /** The cluster of the current context of a kubeconfig. */
    public static Cluster of(Path kubeconfig) {
        if (!Files.isReadable(kubeconfig)) {
            throw new IllegalArgumentException(
                    "the kubeconfig " + kubeconfig + " cannot be read; correct --kubeconfig or the file's mode");
        }
        return new Cluster(Config.fromKubeconfig(kubeconfig.toFile()));
    }

    /**
     * The same, but sooner certain that its server has fallen silent.
     *
     * @param request after this long without the beginning of an answer
     * @param ping how often the server of a watch is asked; it is given up after three without an answer
     */
    public Cluster waiting(Duration request, Duration ping) {
        return new Cluster(config, request, ping);
    }

    private static String token(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the token of the service account", e);
        }
    }

    /**
     * A client that the API server's log and metrics know by the program's name. The caller closes it.
     *
     * @param program and its version are the user agent
     */
    public KubernetesClient connect(String program, String version) {
        return new KubernetesClientBuilder()
                .withConfig(configOf(program, version))
                .withHttpClientFactory(new WatchfulHttp(ping))
                .withKubernetesSerialization(kinds())
                .build();
    }

    /**
     * The kinds that are watched. The library would find out what there is by loading all classes that it has, which are thousands. What is
     * not in this list can be used like any other, and what comes of it by a watch is read twice.
     */
    private static KubernetesSerialization kinds() {
        KubernetesSerialization kinds = new KubernetesSerialization(new ObjectMapper(), false);
        List.of(Pod.class, PersistentVolume.class, PersistentVolumeClaim.class, PodAttachment.class)
                .forEach(kinds::registerKubernetesResource);
        // How a watch is told why it ends.
        kinds.registerKubernetesResource("v1", "Status", Status.class);
        return kinds;
    }

    Config configOf(String program, String version) {
        return new ConfigBuilder(config)
                .withUserAgent(program + "/" + version)
                .withConnectionTimeout((int) CONNECT.toMillis())
                .withRequestTimeout((int) request.toMillis())
                .withRequestRetryBackoffLimit(REPETITIONS)
                // Of HTTP/2, all requests would go on using one connection that died without a word; of HTTP/1.1 a
                // request that got no
                // answer takes its connection with it.
                .withHttp2Disable(true)
                .build();
    }
}
