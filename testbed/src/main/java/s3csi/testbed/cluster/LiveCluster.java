package s3csi.testbed.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import s3csi.kubernetes.PodAttachment;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3Store;

/** The cluster that {@code ./s3csi cluster up} started, and its store. */
public final class LiveCluster implements S3Store, AutoCloseable {
    /** What workloads run: busybox, which is on every node. */
    public static final String WORKLOAD_IMAGE = "busybox:test";

    private static final Duration COMMAND_WITHIN = Duration.ofSeconds(60);

    private final Path directory;
    private final Properties settings;
    private final KubernetesClient client;

    private LiveCluster(Path directory, Properties settings, KubernetesClient client) {
        this.directory = directory;
        this.settings = settings;
        this.client = client;
    }

    /**
     * Connects to it.
     *
     * @param directory where the launcher keeps it, usually {@code build/cluster}
     */
    public static LiveCluster at(Path directory) {
        if (!Files.exists(directory.resolve("up"))) {
            throw new IllegalStateException(
                    "no cluster runs in %s; ./s3csi cluster up starts one".formatted(directory.toAbsolutePath()));
        }
        Properties settings = new Properties();
        try (Reader file = Files.newBufferedReader(directory.resolve("settings"))) {
            settings.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the settings of the cluster", e);
        }
        Config config = Config.fromKubeconfig(directory.resolve("kubeconfig").toFile());
        // As kubectl does it where nothing is said.
        config.setNamespace("default");
        // Not the client of our programs, which knows only the kinds that they watch.
        return new LiveCluster(
                directory,
                settings,
                new KubernetesClientBuilder().withConfig(config).build());
    }

    /** For programs that reach the cluster by themselves, as one who may do everything. */
    public Path kubeconfig() {
        return file("kubeconfig");
    }

    /** One who may do everything. */
    public KubernetesClient client() {
        return client;
    }

    @Override
    public URI endpoint() {
        return URI.create(settings.getProperty("endpoint"));
    }

    @Override
    public String region() {
        return settings.getProperty("region");
    }

    @Override
    public Credentials.Keys root() {
        return account("");
    }

    /** The account whose keys the driver was installed with; that of {@link #root} where the store has one account only. */
    public Credentials.Keys driver() {
        return account("driver_");
    }

    /** An account that may make buckets, and nothing with the driver's. */
    public Credentials.Keys tenant() {
        return account("tenant_");
    }

    private Credentials.Keys account(String prefix) {
        return new Credentials.Keys(setting(prefix + "access_key_id"), setting(prefix + "secret_access_key"));
    }

    private String setting(String name) {
        String value = settings.getProperty(name);
        if (value == null) {
            throw new IllegalStateException(
                    "the store of this cluster has no %s; ./s3csi cluster up --store versity starts one that has"
                            .formatted(name));
        }
        return value;
    }

    @Override
    public SSLContext trust() {
        String authority = settings.getProperty("authority");
        return authority == null ? PrivateCa.trustOfTheJdk() : PrivateCa.trusting(Path.of(authority));
    }

    /** A file of the cluster's own, such as {@code pki/store-ca.crt}. */
    public Path file(String name) {
        return directory.resolve(name).toAbsolutePath();
    }

    /** What the chart has to be told in this cluster, whoever installs it. */
    public Path chartValues() {
        return file("values.yaml");
    }

    /** Runs a command in the only container of a pod; what it printed, without the end of its last line. */
    public String run(String namespace, String pod, String... command) {
        var printed = new ByteArrayOutputStream();
        var errors = new ByteArrayOutputStream();
        try (ExecWatch watch = client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .writingOutput(printed)
                .writingError(errors)
                .exec(command)) {
            int code = watch.exitCode().get(COMMAND_WITHIN.toSeconds(), TimeUnit.SECONDS);
            if (code != 0) {
                throw new IllegalStateException("%s in pod %s failed with %d: %s%s"
                        .formatted(List.of(command), pod, code, text(printed), text(errors)));
            }
            return text(printed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a command ran in pod " + pod, e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(
                    "%s in pod %s did not end: %s".formatted(List.of(command), pod, text(errors)), e);
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    /** The attachments of a PersistentVolume: which Mountpoint Pods serve it, and whom. */
    public List<PodAttachment> attachments(String volume) {
        return client.resources(PodAttachment.class).list().getItems().stream()
                .filter(attachment ->
                        attachment.getSpec().persistentVolumeName().equals(volume))
                .toList();
    }

    /** The names of the Mountpoint Pods that serve a PersistentVolume. */
    public List<String> mountpointPods(String volume) {
        return attachments(volume).stream()
                .flatMap(attachment -> attachment.getSpec().mountpointS3PodAttachments().keySet().stream())
                .sorted()
                .toList();
    }

    public boolean isMountpointPodThere(String name) {
        return client.pods()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName(name)
                        .get()
                != null;
    }

    /** What the Events of an object say, for people: one line each. */
    public String story(String namespace, String object) {
        return "the Events of %s:\n%s"
                .formatted(
                        object,
                        client.v1().events().inNamespace(namespace).list().getItems().stream()
                                .filter(event ->
                                        object.equals(event.getInvolvedObject().getName()))
                                .map(event -> "  %s: %s".formatted(event.getReason(), event.getMessage()))
                                .collect(Collectors.joining("\n")));
    }

    @Override
    public void close() {
        client.close();
    }
}
