package s3csi.testbed.cluster;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import s3csi.kubernetes.Cluster;
import s3csi.kubernetes.PodAttachmentDefinition;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** An API server of its own, with everything that the controller's chart would install. */
public final class ControlPlane implements AutoCloseable {
    /** Where Mountpoint Pods are. */
    public static final String MOUNTPOINT_NAMESPACE = "mount-s3";

    public static final String PRIORITY_CLASS = "mount-s3-critical";

    /** A user who may do nothing but what a test allows. */
    public static final String STRANGER = "stranger";

    private static final String MASTER = "testbed";
    private static final String AUDIT_LOG = "audit.log";

    private static final Duration READY_WITHIN = Duration.ofSeconds(90);
    private static final int PORTS_TO_TRY = 5;

    private final Path directory;
    private final Path kubeconfig;
    private final ChildProcess etcd;
    private final int etcdPort;
    private final int port;
    private ChildProcess apiServer;
    private final KubernetesClient client;

    private ControlPlane(Path directory, ChildProcess etcd, int etcdPort, ChildProcess apiServer, int port) {
        this.directory = directory;
        this.etcd = etcd;
        this.etcdPort = etcdPort;
        this.apiServer = apiServer;
        this.port = port;
        this.kubeconfig = directory.resolve("kubeconfig");
        this.client = Cluster.of(kubeconfig).connect("testbed", "0");
    }

    /** Ready, with the definition of attachments, the namespace of Mountpoint Pods and their priority class. */
    public static ControlPlane start() {
        for (int attempt = 1; ; attempt++) {
            try {
                return startOnFreePorts();
            } catch (IllegalStateException failure) {
                // A port that was free a moment ago may be taken before the server binds it.
                if (attempt == PORTS_TO_TRY
                        || !String.valueOf(failure.getMessage()).contains("in use")) {
                    throw failure;
                }
            }
        }
    }

    private static ControlPlane startOnFreePorts() {
        // In memory: etcd waits for its disk with every write.
        Path directory = Scratch.directoryInMemory("control-plane");
        int etcdPort = freePort();
        int port = freePort();
        ChildProcess etcd = etcd(directory, etcdPort);
        try {
            prepare(directory);
            ChildProcess apiServer = apiServer(directory, etcdPort, port);
            try {
                awaitCertificate(directory, apiServer);
                writeKubeconfig(directory, "kubeconfig", "https://127.0.0.1:" + port, MASTER);
                ControlPlane plane = new ControlPlane(directory, etcd, etcdPort, apiServer, port);
                plane.awaitReady();
                plane.install();
                return plane;
            } catch (RuntimeException failure) {
                apiServer.kill();
                throw failure;
            }
        } catch (RuntimeException failure) {
            etcd.kill();
            Scratch.delete(directory);
            throw failure;
        }
    }

    private static ChildProcess etcd(Path directory, int port) {
        String clients = "http://127.0.0.1:" + port;
        String peers = "http://127.0.0.1:" + freePort();
        return ChildProcess.start(
                List.of(
                        Tools.built("etcd").toString(),
                        "--data-dir=" + directory.resolve("etcd"),
                        "--listen-client-urls=" + clients,
                        "--advertise-client-urls=" + clients,
                        "--listen-peer-urls=" + peers,
                        "--initial-advertise-peer-urls=" + peers,
                        "--initial-cluster=default=" + peers,
                        "--unsafe-no-fsync",
                        "--log-level=warn"),
                Map.of(),
                directory.resolve("etcd.log"));
    }

    private static ChildProcess apiServer(Path directory, int etcdPort, int port) {
        return ChildProcess.start(
                List.of(
                        Tools.built("kube-apiserver").toString(),
                        "--etcd-servers=http://127.0.0.1:" + etcdPort,
                        "--bind-address=127.0.0.1",
                        "--advertise-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--cert-dir=" + directory.resolve("certificates"),
                        "--service-cluster-ip-range=198.19.0.0/24",
                        "--service-account-issuer=https://testbed",
                        "--service-account-key-file=" + directory.resolve("accounts.key"),
                        "--service-account-signing-key-file=" + directory.resolve("accounts.key"),
                        "--token-auth-file=" + directory.resolve("tokens.csv"),
                        "--authorization-mode=RBAC",
                        "--allow-privileged=true",
                        "--endpoint-reconciler-type=none",
                        "--audit-policy-file=" + directory.resolve("audit.yaml"),
                        "--audit-log-path=" + directory.resolve(AUDIT_LOG),
                        // Its accounts are made by a controller that does not run here.
                        "--disable-admission-plugins=ServiceAccount"),
                Map.of(),
                directory.resolve("kube-apiserver.log"));
    }

    /** A key to sign with, a user who may do everything, and one who may do nothing yet, of whom is written down what he asks for. */
    private static void prepare(Path directory) {
        try {
            KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(2048);
            byte[] key = keys.generateKeyPair().getPrivate().getEncoded();
            Files.writeString(
                    directory.resolve("accounts.key"),
                    "-----BEGIN PRIVATE KEY-----\n"
                            + Base64.getMimeEncoder().encodeToString(key)
                            + "\n-----END PRIVATE KEY-----\n");
            Files.writeString(directory.resolve("tokens.csv"), """
                    %s,%s,%s,system:masters
                    %s,%s,%s
                    """.formatted(
                            token(MASTER), MASTER, MASTER, token(STRANGER), STRANGER, STRANGER));
            Files.writeString(directory.resolve("audit.yaml"), """
                    apiVersion: audit.k8s.io/v1
                    kind: Policy
                    omitStages: [RequestReceived, ResponseStarted]
                    rules: [{level: Metadata, users: [%s]}, {level: None}]
                    """.formatted(STRANGER));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare a control plane", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has RSA", e);
        }
    }

    /** It makes one itself, with an authority of its own behind it. */
    private static void awaitCertificate(Path directory, ChildProcess apiServer) {
        Path key = directory.resolve("certificates").resolve("apiserver.key");
        Await.until(READY_WITHIN, () -> apiServer.story("made no certificate"), () -> {
            requireAlive(apiServer);
            return Files.exists(key);
        });
    }

    /** It listens on loopback for the time of a test. */
    private static String token(String user) {
        return "token-of-" + user;
    }

    private static Path writeKubeconfig(Path directory, String name, String server, String user) {
        try {
            return Files.writeString(
                    directory.resolve(name), """
                    apiVersion: v1
                    kind: Config
                    current-context: testbed
                    clusters:
                      - name: testbed
                        cluster:
                          server: %s
                          certificate-authority: %s
                    users:
                      - name: testbed
                        user:
                          token: %s
                    contexts:
                      - name: testbed
                        context:
                          cluster: testbed
                          user: testbed
                    """.formatted(server, certificate(directory), token(user)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a kubeconfig", e);
        }
    }

    private static Path writeServiceAccount(Path directory, String user) {
        try {
            Path account = Files.createDirectories(directory.resolve("service-account-of-" + user));
            Files.writeString(account.resolve("token"), token(user));
            Files.writeString(account.resolve("namespace"), "kube-system");
            Files.copy(certificate(directory), account.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
            return account;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the files of a service account", e);
        }
    }

    private static Path certificate(Path directory) {
        return directory.resolve("certificates").resolve("apiserver.crt");
    }

    private void awaitReady() {
        Await.until(READY_WITHIN, () -> apiServer.story("is not ready after " + READY_WITHIN), () -> {
            requireAlive(etcd);
            requireAlive(apiServer);
            try {
                return "ok".equals(client.raw("/readyz"));
            } catch (KubernetesClientException notYet) {
                return false;
            }
        });
    }

    private static void requireAlive(ChildProcess process) {
        if (!process.isAlive()) {
            throw new IllegalStateException(process.story("ended before it was ready"));
        }
    }

    private void install() {
        client.resource(PodAttachmentDefinition.desired()).create();
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(PodAttachmentDefinition.NAME)
                .waitUntilCondition(
                        definition -> definition != null
                                && definition.getStatus() != null
                                && definition.getStatus().getConditions() != null
                                && definition.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Established")
                                                        && condition.getStatus().equals("True")),
                        READY_WITHIN.toSeconds(),
                        TimeUnit.SECONDS);
        client.resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName(PRIORITY_CLASS)
                        .endMetadata()
                        .withValue(1_000_000_000)
                        .withPreemptionPolicy("Never")
                        .build())
                .create();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(MOUNTPOINT_NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    /** One who may do everything. */
    public KubernetesClient client() {
        return client;
    }

    /** By which a program becomes the one who may do everything. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** On this machine. */
    public int port() {
        return port;
    }

    /** By which a pod becomes the one who may do everything: the files that kubelet gives it. */
    public Path serviceAccount() {
        return writeServiceAccount(directory, MASTER);
    }

    /** The same for {@link #STRANGER}. */
    public Path serviceAccountOfStranger() {
        return writeServiceAccount(directory, STRANGER);
    }

    /** The same, but by another address that leads to it. */
    public Path kubeconfig(URI address) {
        return writeKubeconfig(directory, "kubeconfig-" + address.getPort(), address.toString(), MASTER);
    }

    /** By which a program becomes {@link #STRANGER}. */
    public Path kubeconfigOfStranger() {
        return writeKubeconfig(directory, "kubeconfig-of-stranger", address().toString(), STRANGER);
    }

    public URI address() {
        return URI.create("https://127.0.0.1:" + port);
    }

    /** What proves that it is the one that listens there. */
    public Path certificate() {
        return certificate(directory);
    }

    /** What {@link #STRANGER} has asked for, one JSON object a line as the API server writes it down. */
    public List<String> audited() {
        try {
            Path log = directory.resolve(AUDIT_LOG);
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what was asked for", e);
        }
    }

    /** From now on nothing answers at its address. */
    public void killApiServer() {
        apiServer.kill();
    }

    /** What it knew is in etcd. */
    public void restartApiServer() {
        apiServer.kill();
        apiServer = apiServer(directory, etcdPort, port);
        awaitReady();
    }

    private static int freePort() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot find a free loopback port", e);
        }
    }

    @Override
    public void close() {
        client.close();
        apiServer.kill();
        etcd.kill();
        Scratch.delete(directory);
    }
}
