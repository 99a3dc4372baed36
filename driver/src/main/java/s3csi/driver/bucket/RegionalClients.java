package s3csi.driver.bucket;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import s3csi.program.Release;
import s3csi.volume.Region;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.LegacyMd5Plugin;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The SDK's clients, one for each region in use, all on one HTTP client. Keys are not part of a client: each request carries
 * its own, so that tenants share connections but never signatures.
 */
public final class RegionalClients implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration SILENCE = Duration.ofSeconds(5);

    /** A sidecar waits longer than this for an answer, and a call makes at most five requests. */
    private static final Duration WHOLE_CALL = Duration.ofSeconds(10);

    private static final int ATTEMPTS = 3;

    /** Regions can come from tenants' Secrets; this many clients are kept, the least used one goes first. */
    private static final int MOST_REGIONS = 16;

    private final S3Endpoint store;
    private @Nullable X509TrustManager trusted;
    private SdkHttpClient http;
    private final Map<Region, S3Client> clients = new LinkedHashMap<>(MOST_REGIONS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Region, S3Client> eldest) {
            // Not closed: a call may be using it, and all it holds is the shared HTTP client.
            return size() > MOST_REGIONS;
        }
    };

    public RegionalClients(S3Endpoint store) {
        this.store = store;
        this.trusted = store.trust().map(TrustedRoots::current).orElse(null);
        this.http = http(trusted);
    }

    private static SdkHttpClient http(@Nullable X509TrustManager trusted) {
        UrlConnectionHttpClient.Builder builder =
                UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(SILENCE);
        if (trusted != null) {
            builder.tlsTrustManagersProvider(() -> new TrustManager[] {trusted});
        }
        return builder.build();
    }

    /** The buckets of an account. */
    public BucketStore of(Account account, BucketMetrics metrics) {
        return new SdkBucketStore(this, metrics, account);
    }

    URI endpoint() {
        return store.url();
    }

    synchronized S3Client in(Region region) {
        useTheRootsOfNow();
        return clients.computeIfAbsent(region, this::client);
    }

    /**
     * A resumed TLS session or an idle connection is used without a look at the certificate, so a CA that was taken away would
     * stay trusted for a day. Both belong to the HTTP client, and a new one begins without them.
     */
    private void useTheRootsOfNow() {
        X509TrustManager now = store.trust().map(TrustedRoots::current).orElse(null);
        if (!Objects.equals(now, trusted)) {
            // Not closed, for the same reason as above.
            clients.clear();
            http = http(now);
            trusted = now;
        }
    }

    private S3Client client(Region region) {
        return S3Client.builder()
                .endpointOverride(store.url())
                .region(software.amazon.awssdk.regions.Region.of(region.text()))
                .forcePathStyle(true)
                .httpClient(http)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .disableS3ExpressSessionAuth(true)
                // Stores that know no trailing checksums know Content-MD5.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .addPlugin(LegacyMd5Plugin.create())
                .overrideConfiguration(c -> c.apiCallTimeout(WHOLE_CALL)
                        .retryStrategy(StandardRetryStrategy.builder()
                                .maxAttempts(ATTEMPTS)
                                .build())
                        .addExecutionInterceptor(new NoImpliedLocation())
                        .putAdvancedOption(
                                SdkAdvancedClientOption.USER_AGENT_PREFIX,
                                "s3-csi-driver/" + Release.current().version())
                        // Nothing on the machine's disk or in its environment may change what we do.
                        .defaultProfileFile(ProfileFile.aggregator().build()))
                .build();
    }

    @Override
    public synchronized void close() {
        http.close();
    }
}
