package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The proxy of a volume, which is for stores with TLS. */
class ProxyE2eTest extends ClusterStage {
    private static final String PROXY = "mountpointEnv.HTTPS_PROXY";

    /** A proxy in seven lines: notes where it is asked to connect to, and does. */
    private static final String SCRIPT = """
            cat >/tmp/connect <<'END'
            read -r method address rest
            echo "$method $address" >>/tmp/asked
            while read -r line && [ ${#line} -gt 1 ]; do :; done
            printf 'HTTP/1.1 200 OK\\r\\n\\r\\n'
            exec nc "${address%:*}" "${address#*:}"
            END
            touch /tmp/asked
            exec nc -ll -p 3128 -e sh /tmp/connect
            """;

    @Test
    void aSecureStoreIsReachedThroughTheProxyOfTheVolumeUnlessItIsAnException() {
        Pod proxy = runningWorkload(
                "proxy",
                List.of(),
                spec -> spec.editFirstContainer()
                        .withCommand("sh", "-c", SCRIPT)
                        .endContainer());
        String address = "http://%s:3128"
                .formatted(client.resource(proxy).get().getStatus().getPodIP());
        String store = cluster.endpoint().getHost();
        String bucket = bucket("proxied");
        String direct = namespace + "-direct";
        proxiedVolume(direct, bucket, Map.of(PROXY, address, "mountpointEnv.NO_PROXY", "example.com," + store));
        assertThat(shell(runningWorkload("direct", direct), "cat /data/greeting"))
                .isEqualTo(bucket);
        assertThat(shell(proxy, "cat /tmp/asked"))
                .as("what the exception lets past")
                .isEmpty();

        proxiedVolume(bucket, bucket, Map.of(PROXY, address));
        Pod proxied = runningWorkload("proxied", bucket);
        shell(proxied, "echo through >/data/note");
        assertThat(stored(bucket, "note")).isEqualTo("through\n");
        assertThat(shell(proxy, "sort -u /tmp/asked"))
                .isEqualTo(isSecure() ? "CONNECT " + cluster.endpoint().getAuthority() : "");
    }

    private boolean isSecure() {
        return cluster.endpoint().getScheme().equals("https");
    }

    @Test
    void aProxyThatIsAwayIsNamed() {
        String bucket = bucket("away");
        proxiedVolume(bucket, bucket, Map.of(PROXY, "http://user:hidden@127.0.0.1:1"));
        Pod pod = workload("app", bucket);
        if (isSecure()) {
            awaitEvent(pod, "the proxy http://127.0.0.1:1");
            assertThat(cluster.story(namespace, "app")).as("the password").doesNotContain("hidden");
        } else {
            awaitRunning(pod);
        }
    }

    @Test
    void aProxyThatIsNoneAndAVariableThatVolumesMayNotSetAreRefusedInWords() {
        String bucket = bucket("refused");
        String forbidden = namespace + "-forbidden";
        proxiedVolume(bucket, bucket, Map.of(PROXY, "socks5://user:hidden@proxy:1080"));
        proxiedVolume(forbidden, bucket, Map.of("mountpointEnv.AWS_ENDPOINT_URL", "http://127.0.0.1:1"));
        Pod unusable = workload("unusable", bucket);
        Pod refused = workload("refused", forbidden);
        awaitEvent(unusable, "the proxy in HTTPS_PROXY cannot be used: only http:// proxies are supported");
        assertThat(cluster.story(namespace, "unusable")).as("the password").doesNotContain("hidden");
        awaitEvent(refused, "\"mountpointEnv.AWS_ENDPOINT_URL\" cannot be set by a volume");
    }

    private void proxiedVolume(String name, String bucket, Map<String, String> attributes) {
        Map<String, String> all = new HashMap<>(attributes);
        all.put("bucketName", bucket);
        staticVolume(
                name, bucket, spec -> spec.editCsi().withVolumeAttributes(all).endCsi());
    }
}
