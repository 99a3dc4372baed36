package s3csi.s3.client;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.OptionalInt;
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

    boolean dualStack;
    AddressingStyle addressing = AddressingStyle.AUTOMATIC;
    Trust trust = Trust.platform();
    ProxySettings proxies = ProxySettings.NONE;
    Timeouts timeouts = Timeouts.DEFAULTS;
    SocketSetup socketSetup = SocketSetup.NONE;
    int connections = DEFAULT_CONNECTIONS;
    OptionalInt attempts = OptionalInt.empty();
    Duration patience = Duration.ZERO;
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

    /** Where the store is; AWS when never called. A path in it is kept in front of bucket and key. */
    public HttpStoreOptions endpoint(URI address) {
        // Fails early, with a message for the user.
        Origin.of(address);
        endpoint = address;
        return this;
    }

    /** Whether AWS is reached by its addresses with IPv6, in whichever region; of no meaning with an endpoint. */
    public HttpStoreOptions dualStack(boolean wanted) {
        dualStack = wanted;
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

    /** How often a request is tried in all, however long the store is waited for; 0 and 1 both mean once. */
    public HttpStoreOptions attempts(int total) {
        attempts = OptionalInt.of(Math.max(1, total));
        return this;
    }

    /**
     * How long requests wait for a store that is away, counted from the first one that failed; while an outage is shorter than that,
     * no request fails because of it. Zero is mount-s3's way: ten attempts for each request, fewer when many fail.
     */
    public HttpStoreOptions patience(Duration most) {
        patience = most;
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
