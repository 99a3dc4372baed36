package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeAttributesTest {
    private static VolumeAttributes of(String... keysAndValues) {
        Map<String, String> context = new HashMap<>(Map.of("bucketName", "data"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            context.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return VolumeAttributes.parse(context);
    }

    @Test
    void aBucketIsEnough() {
        VolumeAttributes attributes = of();
        assertThat(attributes.bucket()).isEqualTo("data");
        assertThat(attributes.source()).isEqualTo(AuthenticationSource.DRIVER);
        assertThat(attributes.dynamic()).isFalse();
        assertThat(attributes.region()).isEmpty();
        assertThat(attributes.pod()).isEmpty();
        assertThat(attributes.proxies()).isEmpty();
    }

    @Test
    void everythingElseIsTaken() {
        VolumeAttributes attributes = of(
                "authenticationSource", "secret",
                "dynamicProvisioning", "true",
                "region", " eu-1 ",
                "csi.storage.k8s.io/pod.uid", "u1",
                "csi.storage.k8s.io/pod.name", "web",
                "csi.storage.k8s.io/pod.namespace", "ns",
                "csi.storage.k8s.io/serviceAccount.tokens", "{}",
                "mountpointEnv.NO_PROXY", "a,b");
        assertThat(attributes.source()).isEqualTo(AuthenticationSource.SECRET);
        assertThat(attributes.dynamic()).isTrue();
        assertThat(attributes.region()).contains(new Region("eu-1"));
        assertThat(attributes.pod()).contains(new PodReference("ns", "web", "u1"));
        assertThat(attributes.proxies()).containsExactly(Map.entry("NO_PROXY", "a,b"));
    }

    @Test
    void aBucketMustBeNamed() {
        assertThatThrownBy(() -> VolumeAttributes.parse(Map.of())).hasMessageContaining("Bucket name not provided");
        assertThatThrownBy(() -> of("bucketName", "")).hasMessageContaining("Bucket name not provided");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../etc", "a b", "a/b", "--flag", "b,ro", "b;x", "b\n", "b\u0000b", "a..b", "ab", "-abc"})
    void whatCannotBeABucketIsRefused(String bucket) {
        assertThatThrownBy(() -> of("bucketName", bucket)).hasMessageContaining("cannot be the name of a bucket");
    }

    @ParameterizedTest
    @ValueSource(strings = {"My_Old.Bucket", "abc", "csi-s3-3b241101-e2bb-4255-8caf-4136c566a962"})
    void namesOfOtherStoresAreTaken(String bucket) {
        assertThat(of("bucketName", bucket).bucket()).isEqualTo(bucket);
    }

    @Test
    void anUnknownSourceIsNamed() {
        assertThatThrownBy(() -> of("authenticationSource", "pod"))
                .hasMessageContaining(
                        "unknown authenticationSource: \"pod\", only driver (default) and secret supported");
    }

    @ParameterizedTest
    @CsvSource({
        "mountpointEnv.AWS_ENDPOINT_URL, http://x, cannot be set by a volume",
        "mountpointEnv.HTTPS_PROXY, 'http://x y', spaces",
        "region, 'a b', not the name of a region"
    })
    void attributesThatLeadElsewhereAreRefused(String key, String value, String words) {
        assertThatThrownBy(() -> of(key, value)).hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource({
        "'', false, true, DRIVER",
        "driver, false, true, DRIVER",
        "secret, false, true, SECRET",
        "secret, false, false, SECRET",
        "secret, true, false, SECRET",
        "driver, true, true, SECRET",
        "driver, true, false, DRIVER",
        "secret, true, true, SECRET"
    })
    void whoseKeysMount(String source, boolean dynamic, boolean delivered, AuthenticationSource keys) {
        VolumeAttributes attributes =
                of("authenticationSource", source, "dynamicProvisioning", String.valueOf(dynamic));
        assertThat(attributes.keysOf(delivered ? Map.of("access_key_id", "a") : Map.of()))
                .isEqualTo(keys);
    }
}
