package s3csi.s3.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import s3csi.s3.StoreObserver;
import s3csi.s3.UploadChecksum;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.http.Origin;
import s3csi.s3.http.ProxySettings;
import s3csi.s3.http.SocketSetup;
import s3csi.s3.http.Timeouts;
import s3csi.s3.http.Trust;

/** How to reach a bucket and how to treat it. Set what differs from the defaults, then give it to {@link HttpObjectStore}. */
public final class HttpStoreOptions {
    public static final int DEFAULT_ATTEMPTS = 10;
    public static final int DEFAULT_CONNECTIONS = 64;

    final String bucket;
    CredentialsSource credentials = CredentialsSource.anonymous();

    @Nullable
    URI endpoint;

    @Nullable
    String region;

    AddressingStyle addressing = AddressingStyle.AUTOMATIC;
    Trust trust = Trust.platform();
    ProxySettings proxies = ProxySettings.NONE;
    Timeouts timeouts = Timeouts.DEFAULTS;
    SocketSetup socketSetup = SocketSetup.NONE;
    int connections = DEFAULT_CONNECTIONS;
    int attempts = DEFAULT_ATTEMPTS;
    UploadChecksum uploadChecksum = UploadChecksum.CRC32C;

    @Nullable
    String storageClass;

    @Nullable
    Encryption encryption;

    @Nullable
    String expectedBucketOwner;

    boolean requesterPays;
    String userAgent = "s3csi";
    StoreObserver observer = StoreObserver.SILENT;
    Clock clock = Clock.systemUTC();
    RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
    Sleeper sleeper = Sleeper.REAL;

    private HttpStoreOptions(String bucket) {
        this.bucket = bucket;
    }

    public static HttpStoreOptions forBucket(String bucket) {
        return new HttpStoreOptions(bucket);
    }

    /**
     * Takes what the usual variables say: {@code AWS_ENDPOINT_URL}, {@code AWS_REGION}, {@code AWS_CA_BUNDLE},
     * {@code AWS_MAX_ATTEMPTS} and those of proxies. Call it first; explicit settings then win.
     *
     * @throws IOException when the certificate bundle cannot be read
     */
    public HttpStoreOptions environment(Map<String, String> environment) throws IOException {
        String address = environment.getOrDefault("AWS_ENDPOINT_URL", "");
        if (!address.isEmpty()) {
            endpoint(parseAddress(address));
        }
        String name = environment.getOrDefault("AWS_REGION", "");
        if (!name.isEmpty()) {
            region(name);
        }
        String bundle = environment.getOrDefault("AWS_CA_BUNDLE", "");
        if (!bundle.isEmpty()) {
            trust(Trust.bundle(Path.of(bundle), Trust.Bundle.REPLACES));
        }
        String most = environment.getOrDefault("AWS_MAX_ATTEMPTS", "");
        // As other clients do: a value that is no number changes nothing.
        if (most.matches("\\d{1,6}")) {
            attempts(Integer.parseInt(most));
        }
        return proxies(ProxySettings.fromEnvironment(environment));
    }

    private static URI parseAddress(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Failed to parse endpoint URL '" + text + "': " + e.getMessage(), e);
        }
    }

    /** Where the store is; AWS when never called. A path in it is kept in front of bucket and key. */
    public HttpStoreOptions endpoint(URI address) {
        // Fails early, with a message for the user.
        Origin.of(address);
        endpoint = address;
        return this;
    }

    /** The region to sign for. When given, it is never replaced by what the store says. */
    public HttpStoreOptions region(String name) {
        region = name;
        return this;
    }

    public HttpStoreOptions credentials(CredentialsSource source) {
        credentials = source;
        return this;
    }

    public HttpStoreOptions addressing(AddressingStyle style) {
        addressing = style;
        return this;
    }

    public HttpStoreOptions trust(Trust roots) {
        trust = roots;
        return this;
    }

    public HttpStoreOptions proxies(ProxySettings settings) {
        proxies = settings;
        return this;
    }

    public HttpStoreOptions timeouts(Timeouts waits) {
        timeouts = waits;
        return this;
    }

    /** What is done with every socket before it connects. */
    public HttpStoreOptions socketSetup(SocketSetup setup) {
        socketSetup = setup;
        return this;
    }

    /** How many connections at most; requests beyond wait for one. */
    public HttpStoreOptions connections(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at least one connection is needed, not " + most);
        }
        connections = most;
        return this;
    }

    /** How often a request is tried in all; 0 and 1 both mean once. */
    public HttpStoreOptions attempts(int total) {
        attempts = Math.max(1, total);
        return this;
    }

    public HttpStoreOptions uploadChecksum(UploadChecksum algorithm) {
        uploadChecksum = algorithm;
        return this;
    }

    public HttpStoreOptions storageClass(String name) {
        storageClass = name;
        return this;
    }

    public HttpStoreOptions encryption(Encryption wanted) {
        encryption = wanted;
        return this;
    }

    public HttpStoreOptions expectedBucketOwner(String account) {
        expectedBucketOwner = account;
        return this;
    }

    public HttpStoreOptions requesterPays(boolean pays) {
        requesterPays = pays;
        return this;
    }

    public HttpStoreOptions userAgent(String text) {
        userAgent = text;
        return this;
    }

    public HttpStoreOptions observer(StoreObserver listener) {
        observer = listener;
        return this;
    }

    /** What tests replace: the time of day, the dice of the jitter, and the waiting. */
    public HttpStoreOptions time(Clock wall, RandomGenerator dice, Sleeper waiting) {
        clock = wall;
        random = dice;
        sleeper = waiting;
        return this;
    }
}
