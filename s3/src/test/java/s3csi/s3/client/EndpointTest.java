package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTest {
    @ParameterizedTest
    @CsvSource({
        "http://store:9000, bucket, AUTOMATIC, http://store:9000, /bucket/k",
        "https://store/base, bucket, AUTOMATIC, https://store, /base/bucket/k",
        "https://store, bucket, VIRTUAL_HOST, https://bucket.store, /k",
        "https://10.0.0.1, bucket, VIRTUAL_HOST, https://10.0.0.1, /bucket/k",
        "https://[::1]:9000, bucket, AUTOMATIC, https://[::1]:9000, /bucket/k",
        "https://s3.eu-west-1.amazonaws.com, bucket, AUTOMATIC, https://bucket.s3.eu-west-1.amazonaws.com, /k",
        "https://s3.eu-west-1.amazonaws.com, with.dot, AUTOMATIC, https://s3.eu-west-1.amazonaws.com, /with.dot/k",
        "https://s3.eu-west-1.amazonaws.com, bucket, PATH, https://s3.eu-west-1.amazonaws.com, /bucket/k"
    })
    void theBucketStandsWhereItShould(
            String address, String bucket, AddressingStyle style, String origin, String path) {
        HttpStoreOptions options =
                HttpStoreOptions.forBucket(bucket).endpoint(URI.create(address)).addressing(style);

        Endpoint endpoint = Endpoint.of(options, "us-east-1");

        assertThat(endpoint.origin()).hasToString(origin);
        assertThat(endpoint.pathOf("k")).isEqualTo(path);
    }

    @Test
    void withoutAnEndpointItIsAwsInTheRegion() {
        HttpStoreOptions options = HttpStoreOptions.forBucket("bucket");

        assertThat(Endpoint.of(options, "eu-west-1").origin()).hasToString("https://bucket.s3.eu-west-1.amazonaws.com");
        assertThat(Endpoint.of(options, "cn-north-1").origin())
                .hasToString("https://bucket.s3.cn-north-1.amazonaws.com.cn");
    }

    @Test
    void theAddressesWithIpv6AreThoseOfTheRegionToo() {
        HttpStoreOptions options = HttpStoreOptions.forBucket("bucket").dualStack(true);

        assertThat(Endpoint.of(options, "eu-west-1").origin())
                .hasToString("https://bucket.s3.dualstack.eu-west-1.amazonaws.com");
        assertThat(Endpoint.of(options, "cn-north-1").origin())
                .hasToString("https://bucket.s3.dualstack.cn-north-1.amazonaws.com.cn");
    }

    /** What the store names later counts as much as what was known at the start. */
    @Test
    void aRegionThatIsLearntIsReachedByIpv6Too() {
        try (Router router = new Router(HttpStoreOptions.forBucket("bucket").dualStack(true))) {
            assertThat(router.learn("eu-west-1", router.route())).isTrue();

            assertThat(router.route().endpoint().origin())
                    .hasToString("https://bucket.s3.dualstack.eu-west-1.amazonaws.com");
        }
    }

    @ParameterizedTest
    @CsvSource({"store:9000", "ftp://store", "http:///"})
    void anAddressThatIsNoneIsRefusedInWords(String address) {
        assertThatThrownBy(() -> HttpStoreOptions.forBucket("b").endpoint(URI.create(address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Failed to parse endpoint URL");
    }
}
