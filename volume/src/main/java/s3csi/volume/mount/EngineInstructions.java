package s3csi.volume.mount;

import java.util.List;
import java.util.Map;
import s3csi.volume.VolumeAttributes;

/**
 * All that an engine is told about its mount, whoever runs it: an engine in a pod or in a process gets it as a message beside the
 * descriptor, one in a unit as its command line and environment. Paths are as the engine sees them.
 */
public record EngineInstructions(String bucket, MountOptions options, EngineEnvironment environment) {
    private static final String CACHE = "--cache";
    private static final String ATTRIBUTE_CHANGES = "--attribute-changes";

    private static final String UPLOAD_CHECKSUMS = "--upload-checksums";

    /** What Mountpoint 1.18, which 2.x runs, ends at: options of later releases and of our own engine. */
    private static final List<String> UNKNOWN_TO_MOUNTPOINT = List.of(
            ATTRIBUTE_CHANGES,
            "--allow-append",
            "--store-patience",
            "--metrics-port",
            "--ca-bundle",
            "--infer-content-type",
            "--memory-target",
            "--otlp-endpoint",
            "--otlp-export-interval");

    /** What the volume says; what the driver knows is added to it. */
    public static EngineInstructions of(VolumeAttributes volume, MountPlan plan, EngineKind engine) {
        return new EngineInstructions(
                volume.bucket(),
                forEngine(plan.options(), engine),
                new EngineEnvironment(volume.proxies()).with(plan.environment()));
    }

    private static MountOptions forEngine(MountOptions options, EngineKind engine) {
        return switch (engine) {
            // Images and jobs are written for disks: tar, rsync and cp -p give up where a time cannot be set.
            case OURS -> options.withDefault(ATTRIBUTE_CHANGES, "ignore");
            case MOUNTPOINT -> {
                MountOptions known = options;
                for (String option : UNKNOWN_TO_MOUNTPOINT) {
                    known = known.without(option);
                }
                // It knows no other checksum than its default.
                yield known.value(UPLOAD_CHECKSUMS)
                                .filter(checksum -> checksum.equalsIgnoreCase("crc64nvme"))
                                .isPresent()
                        ? known.without(UPLOAD_CHECKSUMS)
                        : known;
            }
        };
    }

    /** What every engine of this driver is told about the store; a volume cannot change it. */
    public EngineInstructions withStore(Map<String, String> variables) {
        return new EngineInstructions(bucket, options, environment.with(variables));
    }

    /** Where the keys are. */
    public EngineInstructions withKeys(ProfileFiles files, String directory) {
        return new EngineInstructions(bucket, options, environment.with(files.environment(directory)));
    }

    /** Where uploads that were begun are noted. */
    public EngineInstructions withUploadNotes(String directory) {
        return new EngineInstructions(bucket, options, environment.with(EngineEnvironment.UPLOAD_NOTES, directory));
    }

    /** Where a cache is, if there shall be one: it is the mount's own, for the directory that the volume names could be another's. */
    public EngineInstructions withCache(String directory) {
        return options.has(CACHE) ? new EngineInstructions(bucket, options.with(CACHE, directory), environment) : this;
    }

    /** With a cache that fits a volume of this size, a quantity of Kubernetes. */
    public EngineInstructions withCacheLimit(String quantity) {
        return new EngineInstructions(bucket, CacheSize.within(quantity, options), environment);
    }

    /** Its options as arguments, sorted. */
    public List<String> arguments() {
        return options.arguments();
    }

    /** The same for an engine that gets its device over a socket. */
    public MountMessage message() {
        return new MountMessage(bucket, arguments(), environment.lines());
    }
}
