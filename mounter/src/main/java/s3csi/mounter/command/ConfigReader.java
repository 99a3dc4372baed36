package s3csi.mounter.command;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import s3csi.mounter.config.BucketSource;
import s3csi.mounter.config.CacheConfig;
import s3csi.mounter.config.ClientConfig;
import s3csi.mounter.config.CredentialChoice;
import s3csi.mounter.config.Environment;
import s3csi.mounter.config.FilesConfig;
import s3csi.mounter.config.FilesConfig.Audience;
import s3csi.mounter.config.LogConfig;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.ProcessConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.config.StoreConfig;
import s3csi.mounter.config.TimeToLive;

/** Makes the settings of a mount of a command line and an environment. */
final class ConfigReader {
    private static final long MIB = 1 << 20;
    /** What S3 takes as a part of an upload; mount-s3 holds reads to the same. */
    private static final long LEAST_PART = 5 * MIB;

    private static final long LARGEST_PART = 5L << 30;

    /** What {@link Option#ATTRIBUTE_CHANGES} says where they shall succeed. */
    private static final String IGNORE = "ignore";

    private final Arguments arguments;
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
        this.arguments = arguments;
        this.values = new Values(arguments);
        this.environment = new Environment(environment);
        this.origin = origin;
    }

    MountConfig read() throws UsageError, StartFailure {
        MountPoint mountPoint = MountPoint.parse(arguments.positionals().get(1));
        return new MountConfig(
                source(arguments.positionals().getFirst()),
                mountPoint,
                store(),
                new UploadReader(values).read(),
                files(mountPoint),
                client(),
                log(),
                new MetricsReader(values, environment).read(),
                cache(),
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
                values.path(Option.CA_BUNDLE)
                        .or(() -> environment.text("AWS_CA_BUNDLE").map(Path::of))
                        .orElse(null),
                credentials,
                values.headerText(Option.USER_AGENT_PREFIX).orElse(""),
                environment);
        checkAwsEndpoints(store);
        if (store.endpoint() != null && store.region() == null) {
            warnings.add("no region was given for " + store.endpoint()
                    + "; requests are signed for us-east-1, use --region" + " if the store expects another");
        }
        return store;
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

    private FilesConfig files(MountPoint mountPoint) throws UsageError, StartFailure {
        boolean readOnly = values.has(Option.READ_ONLY);
        // A person would expect it to do something; a node has done it in its mount call.
        if (readOnly && mountPoint instanceof MountPoint.FuseDescriptor && origin != Origin.NODE) {
            throw ignored(Option.READ_ONLY, mountPoint, "pass it in the mount system call instead");
        }
        Audience audience = values.has(Option.ALLOW_OTHER)
                ? Audience.EVERYBODY
                : values.has(Option.ALLOW_ROOT) ? Audience.OWNER_AND_ROOT : Audience.OWNER;
        return new FilesConfig(
                readOnly,
                values.has(Option.ALLOW_DELETE),
                values.has(Option.ALLOW_OVERWRITE),
                values.has(Option.ALLOW_APPEND),
                values.oneOf(Option.ATTRIBUTE_CHANGES, List.of("refuse", IGNORE))
                        .orElse("")
                        .equals(IGNORE),
                audience,
                values.id(Option.UID),
                values.id(Option.GID),
                values.mode(Option.DIR_MODE, 0755),
                values.mode(Option.FILE_MODE, 0644));
    }

    private static StartFailure ignored(Option option, MountPoint mountPoint, String advice) {
        return new StartFailure(
                "Failed to create mount point",
                new StartFailure("--" + option.longName + " is ignored with a FUSE descriptor like " + mountPoint + "; "
                        + advice));
    }

    private ClientConfig client() throws UsageError, StartFailure {
        OptionalLong memory =
                values.number(Option.MEMORY_TARGET, ClientConfig.LEAST_MEMORY / MIB, Long.MAX_VALUE / MIB);
        Option readOption = values.has(Option.PART_SIZE) ? Option.PART_SIZE : Option.READ_PART_SIZE;
        Option writeOption = values.has(Option.PART_SIZE) ? Option.PART_SIZE : Option.WRITE_PART_SIZE;
        return new ClientConfig(
                values.intNumber(Option.MAXIMUM_THROUGHPUT_GBPS, 1, 100_000, ClientConfig.DEFAULT_THROUGHPUT_GBPS),
                values.intNumber(Option.MAX_THREADS, 1, 1024, ClientConfig.DEFAULT_THREADS),
                memory.isPresent() ? OptionalLong.of(memory.getAsLong() * MIB) : memory,
                partSize(readOption),
                partSize(writeOption),
                values.texts(Option.BIND));
    }

    private long partSize(Option option) throws UsageError, StartFailure {
        long size = values.number(option, 1, Long.MAX_VALUE).orElse(ClientConfig.DEFAULT_PART_SIZE);
        if (size < LEAST_PART || size > LARGEST_PART) {
            throw new StartFailure("--" + option.longName + " is " + size + " bytes; S3 allows parts of " + LEAST_PART
                    + " (5 MiB) to " + LARGEST_PART + " (5 GiB)");
        }
        return size;
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

    private CacheConfig cache() throws UsageError {
        Optional<Path> directory = values.path(Option.CACHE);
        TimeToLive metadata = values.timeToLive(Option.METADATA_TTL)
                .orElse(directory.isPresent() ? TimeToLive.WITH_CACHE : new TimeToLive.Minimal());
        TimeToLive negative = values.timeToLive(Option.NEGATIVE_METADATA_TTL).orElse(metadata);
        for (Option option : List.of(Option.METADATA_TTL, Option.NEGATIVE_METADATA_TTL)) {
            if (values.text(option).orElse("").matches("0+")) {
                warnings.add("'--" + option.longName + " 0' is taken as 'minimal'; write that");
            }
        }
        OptionalLong most = values.number(Option.MAX_CACHE_SIZE, 0, Long.MAX_VALUE / MIB);
        return new CacheConfig(
                directory.orElse(null),
                environment.text("UNSTABLE_MOUNTPOINT_CACHE_KEY").orElse(null),
                most.isPresent() ? OptionalLong.of(most.getAsLong() * MIB) : most,
                metadata,
                negative);
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
