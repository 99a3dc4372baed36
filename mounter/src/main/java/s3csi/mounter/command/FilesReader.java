package s3csi.mounter.command;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.FileSystemConfig;
import s3csi.filesystem.FileSystemConfig.Permissions;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.inode.Appearance;
import s3csi.filesystem.inode.MetadataCaching;
import s3csi.filesystem.inode.TimeToLive;
import s3csi.filesystem.read.ReadSettings;
import s3csi.filesystem.write.UploadSettings;
import s3csi.linux.Processes;
import s3csi.mounter.config.BucketSource;
import s3csi.mounter.config.Environment;
import s3csi.mounter.config.StartFailure;
import s3csi.volume.mount.EngineEnvironment;

/** The options of files: what they look like, what may be done with them, and what is kept of them. */
final class FilesReader {
    private static final long MIB = 1 << 20;
    /** What S3 takes as a part of an upload; mount-s3 holds reads to the same. */
    private static final long LEAST_PART = 5 * MIB;

    private static final long LARGEST_PART = 5L << 30;
    private static final long DEFAULT_PART = 8 * MIB;

    /** With a cache of data, the wish is to ask the store seldom. */
    private static final TimeToLive WITH_CACHE = new TimeToLive.For(Duration.ofSeconds(60));

    /** What {@link Option#ATTRIBUTE_CHANGES} says where they shall succeed. */
    private static final String IGNORE = "ignore";

    /** What a cache without a size leaves free of its file system, in percent: as much as mount-s3 does. */
    private static final int KEPT_FREE = 5;

    /** On a node that file system is kubelet's, which removes images when 15 % are free, and evicts pods at 10 %. */
    private static final int KEPT_FREE_ON_A_NODE = 15;

    private final Values values;
    private final Environment environment;
    private final ConfigReader.Origin origin;
    private final List<String> warnings;

    FilesReader(Values values, Environment environment, ConfigReader.Origin origin, List<String> warnings) {
        this.values = values;
        this.environment = environment;
        this.origin = origin;
        this.warnings = warnings;
    }

    /**
     * Reads all of them.
     *
     * @param endpoint of the store; null for AWS
     * @param cache where object data is kept; empty for nowhere
     */
    FileSystemConfig read(BucketSource source, @Nullable URI endpoint, Optional<Path> cache)
            throws UsageError, StartFailure {
        Appearance appearance = new Appearance(
                values.id(Option.UID).orElseGet(Processes::userId),
                values.id(Option.GID).orElseGet(Processes::groupId),
                values.mode(Option.FILE_MODE, 0644),
                values.mode(Option.DIR_MODE, 0755));
        Permissions permissions = permissions();
        UploadSettings uploads = UploadSettings.DEFAULTS
                .withPartSize(partSize(Option.WRITE_PART_SIZE))
                .withInferContentType(values.has(Option.INFER_CONTENT_TYPE));
        return FileSystemConfig.defaults(appearance.uid(), appearance.gid())
                .withPrefix(source.prefix())
                .withPermissions(permissions)
                .withAppearance(appearance)
                .withCaching(caching(cache.isPresent()))
                .withReads(ReadSettings.DEFAULT.withPartSize(partSize(Option.READ_PART_SIZE)))
                .withUploads(permissions.readOnly() ? uploads : uploads.withNotes(notes(source, endpoint, cache)))
                .withCache(cache(source, cache));
    }

    private Permissions permissions() throws UsageError {
        return new Permissions(
                values.has(Option.READ_ONLY),
                values.has(Option.ALLOW_DELETE),
                values.has(Option.ALLOW_OVERWRITE),
                values.has(Option.ALLOW_APPEND),
                values.oneOf(Option.ATTRIBUTE_CHANGES, List.of("refuse", IGNORE))
                        .orElse("")
                        .equals(IGNORE));
    }

    /** One option stands for both kinds of parts. */
    private long partSize(Option ofOneKind) throws UsageError, StartFailure {
        Option option = values.has(Option.PART_SIZE) ? Option.PART_SIZE : ofOneKind;
        long size = values.number(option, 1, Long.MAX_VALUE).orElse(DEFAULT_PART);
        if (size < LEAST_PART || size > LARGEST_PART) {
            throw new StartFailure("--" + option.longName + " is " + size + " bytes; S3 allows parts of " + LEAST_PART
                    + " (5 MiB) to " + LARGEST_PART + " (5 GiB)");
        }
        return size;
    }

    private MetadataCaching caching(boolean hasCache) throws UsageError {
        TimeToLive metadata =
                values.timeToLive(Option.METADATA_TTL).orElse(hasCache ? WITH_CACHE : new TimeToLive.Minimal());
        TimeToLive negative = values.timeToLive(Option.NEGATIVE_METADATA_TTL).orElse(metadata);
        for (Option option : List.of(Option.METADATA_TTL, Option.NEGATIVE_METADATA_TTL)) {
            if (values.text(option).orElse("").matches("0+")) {
                warnings.add("'--" + option.longName + " 0' is taken as 'minimal'; write that");
            }
        }
        return MetadataCaching.of(metadata, negative);
    }

    private @Nullable CacheSettings cache(BucketSource source, Optional<Path> directory) throws UsageError {
        OptionalLong most = values.number(Option.MAX_CACHE_SIZE, 0, Long.MAX_VALUE / MIB);
        if (directory.isEmpty() || (most.isPresent() && most.getAsLong() == 0)) {
            return null;
        }
        return new CacheSettings(
                directory.get(),
                source.bucket(),
                most.isPresent() ? OptionalLong.of(most.getAsLong() * MIB) : most,
                origin == ConfigReader.Origin.NODE ? KEPT_FREE_ON_A_NODE : KEPT_FREE,
                environment.text("UNSTABLE_MOUNTPOINT_CACHE_KEY").orElse(null));
    }

    /** Where unfinished uploads are noted: where a node service says, else with the cache; null for nowhere. */
    private @Nullable Path notes(BucketSource source, @Nullable URI endpoint, Optional<Path> cache) {
        // Mounts of other buckets may share the directory of the cache.
        String bucket = endpoint + "\n" + source.bucket();
        return environment
                .text(EngineEnvironment.UPLOAD_NOTES)
                .map(Path::of)
                .or(() -> cache.map(directory -> directory
                        .resolve("unfinished-uploads")
                        .resolve(UUID.nameUUIDFromBytes(bucket.getBytes(StandardCharsets.UTF_8))
                                .toString())))
                .orElse(null);
    }
}
