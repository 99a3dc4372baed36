package s3csi.mounter.mount;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import s3csi.mounter.config.CredentialChoice;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.config.StoreConfig;
import s3csi.mounter.config.UploadConfig.ServerSideEncryption;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;
import s3csi.s3.StoreObserver;
import s3csi.s3.client.AddressingStyle;
import s3csi.s3.client.Encryption;
import s3csi.s3.client.HttpObjectStore;
import s3csi.s3.client.HttpStoreOptions;
import s3csi.s3.credentials.CredentialsOptions;
import s3csi.s3.http.Trust;
import s3csi.volume.EngineTrouble;

/** Makes the store of a mount, and asks it once whether we may list: better to fail now than at every file. */
final class StoreFactory {
    private static final String DEFAULT_REGION = "us-east-1";
    /** A publish has to answer within 20 seconds why a mount cannot be; one attempt may go on for some more. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(10);

    private StoreFactory() {}

    static ObjectStore open(MountConfig config, String version, StoreObserver observer) throws StartFailure {
        HttpObjectStore store;
        try {
            store = new HttpObjectStore(options(config, version, observer));
        } catch (IOException | IllegalArgumentException e) {
            throw new StartFailure("Failed to create S3 client", e);
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
                                            : config.store().region()),
                            e));
        }
    }

    private static HttpStoreOptions options(MountConfig config, String version, StoreObserver observer)
            throws IOException, StartFailure {
        if (config.source().isArn()) {
            throw new StartFailure(
                    EngineTrouble.INVALID_FIELD,
                    "the bucket is given as an ARN, which only AWS can resolve; give the name of the bucket or"
                            + " the alias of the access point",
                    null);
        }
        StoreConfig store = config.store();
        Trust trust = trust(store.caBundle());
        Map<String, String> environment = environment(store);
        HttpStoreOptions options = HttpStoreOptions.forBucket(config.source().bucket())
                .environment(environment)
                .trust(trust)
                .credentials(new CredentialsOptions(
                                credentialsEnvironment(store),
                                store.credentials() instanceof CredentialChoice.Anonymous,
                                store.credentials() instanceof CredentialChoice.Profile(String name) ? name : null,
                                store.endpoint(),
                                trust,
                                Clock.systemUTC())
                        .source())
                .socketSetup(NetworkInterfaces.named(config.client().interfaces()))
                .connections(config.client().connections())
                .uploadChecksum(config.upload().checksum())
                .requesterPays(store.requesterPays())
                .userAgent(UserAgent.of(config, version))
                .observer(observer);
        addressing(options, store);
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
        ServerSideEncryption encryption = config.upload().encryption();
        if (encryption != null) {
            options.encryption(new Encryption(encryption.algorithm(), encryption.keyId()));
        }
        return options;
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
        } else if (store.dualStack()) {
            String region = store.region() == null ? DEFAULT_REGION : store.region();
            options.endpoint(URI.create("https://s3.dualstack." + region + ".amazonaws.com"));
        }
    }

    /** Like mount-s3, a file stands in for the roots of the system; a directory, which mount-s3 does not take, adds to them. */
    static Trust trust(@Nullable Path bundle) throws StartFailure {
        if (bundle == null) {
            return Trust.platform();
        }
        try {
            return Trust.bundle(bundle, Files.isDirectory(bundle) ? Trust.Bundle.ADDS : Trust.Bundle.REPLACES);
        } catch (IOException e) {
            throw new StartFailure(
                    EngineTrouble.CERTIFICATE_NOT_TRUSTED,
                    "TLS configuration: the certificate authorities in " + bundle + " cannot be used",
                    e);
        }
    }

    /** What the settings already hold must not be read a second time. */
    private static Map<String, String> environment(StoreConfig store) {
        Map<String, String> environment = new HashMap<>(store.environment().variables());
        List.of("AWS_ENDPOINT_URL", "AWS_REGION", "AWS_CA_BUNDLE").forEach(environment::remove);
        return environment;
    }

    /** The token service is asked in the region of the mount. */
    private static Map<String, String> credentialsEnvironment(StoreConfig store) {
        Map<String, String> environment = new HashMap<>(store.environment().variables());
        String region = store.region();
        if (region != null) {
            environment.put("AWS_REGION", region);
        }
        return environment;
    }
}
