package s3csi.mounter.command;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.FileSystemConfig;
import s3csi.fuse.AccessRule;
import s3csi.linux.Processes;
import s3csi.mounter.config.BucketSource;
import s3csi.mounter.config.ClientConfig;
import s3csi.mounter.config.CredentialChoice;
import s3csi.mounter.config.Environment;
import s3csi.mounter.config.LogConfig;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.ProcessConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.config.StoreConfig;

/** Makes the settings of a mount of a command line and an environment. */
final class ConfigReader {
    private static final long MIB = 1 << 20;

    /** A program that has waited for a day waits for somebody to look. */
    private static final Duration LONGEST_PATIENCE = Duration.ofDays(1);

    private final Values values;
    private final Environment environment;
    private final Origin origin;
    private final List<String> warnings = new ArrayList<>();

    /** Who asks for the mount. */
    enum Origin {
        COMMAND_LINE,
        FSTAB,
        /** A node service, which has mounted already. */
        NODE
    }

    ConfigReader(Arguments arguments, Map<String, String> environment, Origin origin) {
        this.values = new Values(arguments);
        this.environment = new Environment(environment);
        this.origin = origin;
    }

    /**
     * Reads all of them.
     *
     * @param bucket its name, ARN or URI
     * @param cache where object data is kept; empty for nowhere
     */
    MountConfig read(String bucket, MountPoint mountPoint, Optional<Path> cache) throws UsageError, StartFailure {
        BucketSource source = source(bucket);
        StoreConfig store = store();
        return new MountConfig(
                source,
                mountPoint,
                store,
                new UploadReader(values).read(),
                files(source, store, mountPoint, cache),
                access(),
                client(),
                log(),
                new MetricsReader(values, environment).read(),
                process(mountPoint),
                warnings);
    }

    private BucketSource source(String text) throws UsageError, StartFailure {
        Optional<String> prefix = values.text(Option.PREFIX);
        if (prefix.isPresent() && !BucketSource.isPrefix(prefix.get())) {
            throw UsageError.badValue(Option.PREFIX, prefix.get(), "prefix must end in '/'");
        }
        BucketSource source;
        try {
            source = BucketSource.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError("invalid value '" + text + "' for '<BUCKET_NAME>': " + e.getMessage());
        }
        if (prefix.isPresent() && BucketSource.isUri(text)) {
            throw new StartFailure("explicit prefix option not allowed with S3 URI; put the prefix into the URI");
        }
        return prefix.isPresent() ? source.withPrefix(prefix.get()) : source;
    }

    private StoreConfig store() throws UsageError, StartFailure {
        values.oneOf(Option.BUCKET_TYPE, List.of("general-purpose", "directory"));
        if (values.text(Option.BUCKET_TYPE).orElse("").equals("directory")) {
            throw new UsageError(
                    "'--bucket-type directory' is not supported: directory buckets exist at AWS only; leave"
                            + " the option out");
        }
        CredentialChoice credentials = values.has(Option.NO_SIGN_REQUEST)
                ? new CredentialChoice.Anonymous()
                : values.nonEmptyText(Option.PROFILE)
                        .<CredentialChoice>map(CredentialChoice.Profile::new)
                        .orElse(new CredentialChoice.DefaultChain());
        StoreConfig store = new StoreConfig(
                endpoint(),
                values.nonEmptyText(Option.REGION)
                        .or(() -> environment.text("AWS_REGION"))
                        .orElse(null),
                values.has(Option.FORCE_PATH_STYLE),
                values.has(Option.TRANSFER_ACCELERATION),
                values.has(Option.DUAL_STACK),
                values.has(Option.REQUESTER_PAYS),
                values.nonEmptyText(Option.EXPECTED_BUCKET_OWNER).orElse(null),
                caBundle()
                        .or(() -> environment.text("AWS_CA_BUNDLE").map(Path::of))
                        .orElse(null),
                credentials,
                values.headerText(Option.USER_AGENT_PREFIX).orElse(""),
                attempts(),
                environment);
        checkAwsEndpoints(store);
        if (store.endpoint() != null && store.endpoint().getPath().length() > 1) {
            warnings.add("the endpoint " + store.endpoint() + " has a path, which comes before the bucket in every"
                    + " request; leave it out unless the store itself is below that path");
        }
        if (store.endpoint() != null && store.region() == null) {
            warnings.add("no region was given for " + store.endpoint()
                    + "; requests are signed for us-east-1, use --region" + " if the store expects another");
        }
        return store;
    }

    /**
     * The variable may be set for every program of a machine, so what it names is looked at when something speaks TLS. The option is
     * meant for this mount. What a node sends was checked there.
     */
    private Optional<Path> caBundle() throws UsageError, StartFailure {
        Optional<Path> given = values.path(Option.CA_BUNDLE);
        if (origin != Origin.NODE && given.isPresent() && !Files.isReadable(given.get())) {
            throw new StartFailure("--ca-bundle " + given.get() + " cannot be used: "
                    + (Files.exists(given.get()) ? "permission denied" : "there is no such file or directory")
                    + "; correct it, or leave it out to trust the authorities of the system");
        }
        return given;
    }

    /** As other clients do: a value that is no number changes nothing. */
    private OptionalInt attempts() {
        return environment.text("AWS_MAX_ATTEMPTS").filter(text -> text.matches("\\d{1,6}")).stream()
                .mapToInt(Integer::parseInt)
                .findFirst();
    }

    private @Nullable URI endpoint() throws StartFailure {
        Optional<String> text = values.text(Option.ENDPOINT_URL).or(() -> environment.text("AWS_ENDPOINT_URL"));
        if (text.isEmpty()) {
            return null;
        }
        try {
            URI endpoint = new URI(text.get());
            String scheme = endpoint.getScheme();
            if (endpoint.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
                throw new StartFailure("Failed to parse endpoint URL '" + text.get()
                        + "': it must be http:// or https:// and a host, like https://s3.example.com:8443");
            }
            if (endpoint.getRawUserInfo() != null) {
                throw new StartFailure("the endpoint URL must not hold a user or password; give keys in the environment"
                        + " or in a profile");
            }
            if (endpoint.getRawQuery() != null || endpoint.getRawFragment() != null) {
                throw new StartFailure("Failed to parse endpoint URL '" + text.get()
                        + "': it may hold a host, a port and a path only, like https://s3.example.com:8443");
            }
            return endpoint;
        } catch (URISyntaxException e) {
            throw new StartFailure("Failed to parse endpoint URL '" + text.get() + "'", e);
        }
    }

    /** These options choose among the hosts of AWS. */
    private static void checkAwsEndpoints(StoreConfig store) throws StartFailure {
        if (store.transferAcceleration() && store.pathStyle()) {
            throw new StartFailure("path-style addressing cannot be used with --transfer-acceleration; leave one out");
        }
        if (store.endpoint() != null && (store.transferAcceleration() || store.dualStack())) {
            throw new StartFailure(
                    "--transfer-acceleration and --dual-stack choose among AWS's own endpoints and cannot be"
                            + " combined with an endpoint URL; leave them out");
        }
    }

    private FileSystemConfig files(BucketSource source, StoreConfig store, MountPoint mountPoint, Optional<Path> cache)
            throws UsageError, StartFailure {
        FileSystemConfig files =
                new FilesReader(values, environment, origin, warnings).read(source, store.endpoint(), cache);
        // A person would expect it to do something; a node has done it in its mount call.
        if (files.permissions().readOnly()
                && mountPoint instanceof MountPoint.FuseDescriptor
                && origin != Origin.NODE) {
            throw ignored(Option.READ_ONLY, mountPoint, "pass it in the mount system call instead");
        }
        return files;
    }

    private AccessRule access() {
        int owner = Processes.effectiveUserId();
        if (values.has(Option.ALLOW_OTHER)) {
            return new AccessRule.All();
        }
        return values.has(Option.ALLOW_ROOT) ? new AccessRule.OwnerAndRoot(owner) : new AccessRule.Owner(owner);
    }

    private static StartFailure ignored(Option option, MountPoint mountPoint, String advice) {
        return new StartFailure(
                "Failed to create mount point",
                new StartFailure("--" + option.longName + " is ignored with a FUSE descriptor like " + mountPoint + "; "
                        + advice));
    }

    private ClientConfig client() throws UsageError {
        OptionalLong memory =
                values.number(Option.MEMORY_TARGET, ClientConfig.LEAST_MEMORY / MIB, Long.MAX_VALUE / MIB);
        return new ClientConfig(
                values.intNumber(Option.MAXIMUM_THROUGHPUT_GBPS, 1, 100_000, ClientConfig.DEFAULT_THROUGHPUT_GBPS),
                values.intNumber(Option.MAX_THREADS, 1, 1024, ClientConfig.DEFAULT_THREADS),
                memory.isPresent() ? OptionalLong.of(memory.getAsLong() * MIB) : memory,
                storePatience(),
                values.texts(Option.BIND));
    }

    private Duration storePatience() throws UsageError {
        OptionalLong seconds = values.number(Option.STORE_PATIENCE, 0, LONGEST_PATIENCE.toSeconds());
        return seconds.isPresent() ? Duration.ofSeconds(seconds.getAsLong()) : ClientConfig.DEFAULT_STORE_PATIENCE;
    }

    private LogConfig log() throws UsageError {
        Optional<Path> directory = values.path(Option.LOG_DIRECTORY);
        LogConfig.Destination destination = values.has(Option.NO_LOG)
                ? new LogConfig.Destination.Nowhere()
                : directory
                        .<LogConfig.Destination>map(LogConfig.Destination.Directory::new)
                        .orElse(new LogConfig.Destination.Syslog());
        boolean debug = values.has(Option.DEBUG);
        return new LogConfig(
                destination,
                debug,
                values.has(Option.DEBUG_CRT),
                debug || values.has(Option.LOG_METRICS),
                environment.text("MOUNTPOINT_LOG").orElse(null));
    }

    private ProcessConfig process(MountPoint mountPoint) throws StartFailure {
        boolean autoUnmount = values.has(Option.AUTO_UNMOUNT);
        if (autoUnmount && mountPoint instanceof MountPoint.FuseDescriptor) {
            throw ignored(Option.AUTO_UNMOUNT, mountPoint, "whoever made the mount has to unmount it");
        }
        return new ProcessConfig(
                values.has(Option.FOREGROUND),
                origin == Origin.FSTAB,
                autoUnmount,
                environment.text("UNSTABLE_MOUNTPOINT_PID_FILE").map(Path::of).orElse(null));
    }
}
