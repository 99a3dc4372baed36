package s3csi.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterTest {
    private static final Map<String, String> POD =
            Map.of("KUBERNETES_SERVICE_HOST", "198.18.0.1", "KUBERNETES_SERVICE_PORT", "443");

    @TempDir
    Path directory;

    @Test
    void aPodUsesItsServiceAccount() throws Exception {
        Files.writeString(directory.resolve("token"), "first\n");
        Config config = Cluster.ofPod(POD, directory).configOf("scality-csi-controller", "3.0.0");
        assertThat(config.getMasterUrl()).isEqualTo("https://198.18.0.1:443/");
        assertThat(config.getCaCertFile()).isEqualTo(directory.resolve("ca.crt").toString());
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("first");
        Files.writeString(directory.resolve("token"), "renewed");
        assertThat(config.getOauthTokenProvider().getToken())
                .as("a token lives for an hour")
                .isEqualTo("renewed");
    }

    @Test
    void anAddressMayBeOfEitherFamily() {
        Map<String, String> environment =
                Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443");
        assertThat(Cluster.ofPod(environment, directory).configOf("p", "1").getMasterUrl())
                .isEqualTo("https://[fd00::1]:6443/");
    }

    @Test
    void whoIsNoPodIsToldWhatToDo() {
        assertThatThrownBy(() -> Cluster.ofPod(Map.of(), directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("KUBERNETES_SERVICE_HOST")
                .hasMessageContaining("--kubeconfig");
        assertThatThrownBy(() -> Cluster.of(directory.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(directory.resolve("none").toString());
    }

    @Test
    void settingsOfOtherProgramsLeadNowhere() throws Exception {
        System.setProperty(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY, "https://elsewhere/");
        System.setProperty(Config.KUBERNETES_TRUST_CERT_SYSTEM_PROPERTY, "true");
        try {
            Config ofPod = Cluster.ofPod(POD, directory).configOf("p", "1");
            assertThat(ofPod.getMasterUrl()).isEqualTo("https://198.18.0.1:443/");
            assertThat(ofPod.isTrustCerts()).isFalse();
            InetSocketAddress server = new InetSocketAddress("198.18.0.2", 6443);
            Config ofKubeconfig = Cluster.of(kubeconfig(server)).configOf("p", "1");
            assertThat(ofKubeconfig.getMasterUrl()).isEqualTo("http://198.18.0.2:6443/");
            assertThat(ofKubeconfig.isTrustCerts()).isFalse();
        } finally {
            System.clearProperty(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY);
            System.clearProperty(Config.KUBERNETES_TRUST_CERT_SYSTEM_PROPERTY);
        }
    }

    @Test
    void theApiServerLearnsWhichProgramAsks() throws Exception {
        BlockingQueue<List<String>> asked = new LinkedBlockingQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(List.of(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("User-Agent"),
                    exchange.getRequestHeaders().getFirst("Authorization")));
            byte[] answer = """
                    {"apiVersion": "s3.csi.scality.com/v2", "kind": "MountpointS3PodAttachmentList", "items": [
                      {"metadata": {"name": "s3pa-1"}, "spec": {"nodeName": "n"}}]}
                    """.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        try (KubernetesClient client =
                Cluster.of(kubeconfig(server.getAddress())).connect("scality-csi-controller", "3.0.0")) {
            assertThat(client.resources(PodAttachment.class).list().getItems())
                    .singleElement()
                    .satisfies(found -> assertThat(found.getSpec().nodeName()).isEqualTo("n"));
            assertThat(asked)
                    .containsExactly(List.of(
                            "/apis/s3.csi.scality.com/v2/mountpoints3podattachments",
                            "scality-csi-controller/3.0.0",
                            "Bearer secret"));
        } finally {
            server.stop(0);
        }
    }

    private Path kubeconfig(InetSocketAddress server) throws Exception {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test}}]
                clusters: [{name: test, cluster: {server: "http://%s:%d"}}]
                users: [{name: test, user: {token: secret}}]
                """.formatted(
                        server.getAddress().getHostAddress(), server.getPort()));
    }

    @Test
    void requestsAndWatchesEndWhenTheServerFallsSilent() {
        Config config = Cluster.ofPod(POD, directory).configOf("p", "1");
        assertThat(config.getConnectionTimeout()).isEqualTo(5_000);
        assertThat(config.getRequestTimeout()).isEqualTo(30_000);
        assertThat(config.isHttp2Disable()).isTrue();
        assertThat(config.getRequestRetryBackoffLimit()).isEqualTo(3);
    }
}
