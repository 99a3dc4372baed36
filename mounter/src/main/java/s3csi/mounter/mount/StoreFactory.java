package s3csi.mounter.mount;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import s3csi.mounter.config.CredentialChoice;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.config.StoreConfig;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;
import s3csi.s3.StoreObserver;
import s3csi.s3.client.AddressingStyle;
import s3csi.s3.client.Encryption;
import s3csi.s3.client.HttpObjectStore;
import s3csi.s3.client.HttpStoreOptions;
import s3csi.s3.credentials.CredentialsOptions;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.http.ProxySettings;
import s3csi.s3.http.Trust;
import s3csi.volume.EngineTrouble;

/** Makes the store of a mount, and asks it once whether we may list: better to fail now than at every file. */
final class StoreFactory {
    static final String DEFAULT_REGION = "us-east-1";
    /** A publish has to answer within 20 seconds why a mount cannot be; one attempt may go on for some more. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(10);

    private StoreFactory() {}

    static ObjectStore open(MountConfig config, String version, StoreObserver observer) throws StartFailure {
        HttpObjectStore store;
        try {
            store = new HttpObjectStore(options(config, version, observer));
        } catch (IllegalArgumentException e) {
            // A proxy, an address or a region that is none.
            throw new StartFailure(EngineTrouble.INVALID_FIELD, "Failed to create S3 client", e);
        }
        try {
            store.check(config.source().prefix(), FIRST_LOOK);
            return store;
        } catch (StoreException e) {
            store.close();
            throw new StartFailure(
                    "Failed to create S3 client",
                    new StartFailure(
                            StoreTrouble.of(e.failure()),
                            "initial ListObjectsV2 failed for bucket "
                                    + config.source().bucket() + " in region "
                                    + (config.store().region() == null
                                            ? DEFAULT_REGION
                                            : config.store().region())
                                    + (config.store().endpoint() == null
                                            ? ""
                                            : " at " + config.store().endpoint()),
                            e));
        }
    }

    private static HttpStoreOptions options(MountConfig config, String version, StoreObserver observer)
            throws StartFailure {
        if (config.source().isArn()) {
            throw new StartFailure(
                    EngineTrouble.INVALID_FIELD,
                    "the bucket is given as an ARN, which only AWS can resolve; give the name of the bucket or"
                            + " the alias of the access point",
                    null);
        }
        StoreConfig store = config.store();
        Trust trust = trust(store.caBundle());
        HttpStoreOptions options = HttpStoreOptions.forBucket(config.source().bucket())
                .proxies(ProxySettings.fromEnvironment(store.environment().variables()))
                .trust(trust)
                .credentials(credentials(store, trust))
                .socketSetup(NetworkInterfaces.named(config.client().interfaces()))
                .connections(config.client().connections())
                .patience(config.client().storePatience())
                .uploadChecksum(config.upload().checksum())
                .requesterPays(store.requesterPays())
                .userAgent(UserAgent.of(config, version))
                .observer(observer);
        addressing(options, store);
        store.attempts().ifPresent(options::attempts);
        String region = store.region();
        if (region != null) {
            options.region(region);
        }
        String owner = store.expectedBucketOwner();
        if (owner != null) {
            options.expectedBucketOwner(owner);
        }
        String storageClass = config.upload().storageClass();
        if (storageClass != null) {
            options.storageClass(storageClass);
        }
        Encryption encryption = config.upload().encryption();
        if (encryption != null) {
            options.encryption(encryption);
        }
        return options;
    }

    static CredentialsSource credentials(StoreConfig store, Trust trust) {
        return new CredentialsOptions(
                        store.environment().variables(),
                        store.credentials() instanceof CredentialChoice.Anonymous,
                        store.credentials() instanceof CredentialChoice.Profile(String name) ? name : null,
                        store.endpoint(),
                        store.region(),
                        trust,
                        Clock.systemUTC())
                .source();
    }

    private static void addressing(HttpStoreOptions options, StoreConfig store) {
        if (store.pathStyle()) {
            options.addressing(AddressingStyle.PATH);
        }
        URI endpoint = store.endpoint();
        if (endpoint != null) {
            options.endpoint(endpoint);
        } else if (store.transferAcceleration()) {
            options.endpoint(URI.create(
                    store.dualStack()
                            ? "https://s3-accelerate.dualstack.amazonaws.com"
                            : "https://s3-accelerate.amazonaws.com"));
            options.addressing(AddressingStyle.VIRTUAL_HOST);
        } else {
            options.dualStack(store.dualStack());
        }
    }

    /** Like mount-s3, a file stands in for the roots of the system; a directory, which mount-s3 does not take, adds to them. */
    static Trust trust(@Nullable Path bundle) {
        return bundle == null
                ? Trust.platform()
                : Trust.bundle(bundle, Files.isDirectory(bundle) ? Trust.Bundle.ADDS : Trust.Bundle.REPLACES);
    }
}
