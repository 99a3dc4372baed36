package s3csi.reconciler.model;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.Map;
import java.util.Optional;
import s3csi.volume.Driver;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/** What the cache of a mount is kept on, by the attributes of its volume. */
sealed interface CacheVolume {
    String NAME = "local-cache";

    /** On the node's disk or in its memory, gone with the pod. */
    record EmptyDirectory(Optional<Quantity> sizeLimit, boolean inMemory) implements CacheVolume {}

    /** On a disk of its own that a StorageClass makes, gone with the pod. */
    record Disk(String storageClass, Quantity size) implements CacheVolume {}

    /** Empty for a mount without a cache. */
    static Optional<CacheVolume> of(S3Volume volume) {
        Map<String, String> attributes = volume.attributes();
        boolean hasOption = volume.hasCacheOption();
        String kind = attributes.getOrDefault(Attribute.CACHE, "");
        if (hasOption && !kind.isEmpty()) {
            throw invalid(
                    Attribute.CACHE, "the mount options have a cache, too", "Take cache out of spec.mountOptions");
        }
        return switch (kind) {
            // The option named a directory of the node once. What it was for is kept, the place is not.
            case "" -> hasOption ? Optional.of(new EmptyDirectory(Optional.empty(), false)) : Optional.empty();
            case "emptyDir" ->
                Optional.of(new EmptyDirectory(Quantities.in(attributes, Attribute.SIZE_LIMIT), inMemory(attributes)));
            case "ephemeral" ->
                Optional.of(new Disk(
                        required(attributes, Attribute.STORAGE_CLASS),
                        Quantities.in(attributes, Attribute.DISK_SIZE)
                                .orElseThrow(() -> missing(Attribute.DISK_SIZE))));
            default ->
                throw invalid(Attribute.CACHE, Printable.quoted(kind) + " is unknown", "Use emptyDir or ephemeral");
        };
    }

    private static boolean inMemory(Map<String, String> attributes) {
        String medium = attributes.getOrDefault(Attribute.MEDIUM, "");
        return switch (medium) {
            case "" -> false;
            case "Memory" -> true;
            default ->
                throw invalid(
                        Attribute.MEDIUM,
                        Printable.quoted(medium) + " is unknown",
                        "Use Memory, or leave it out for the node's disk");
        };
    }

    private static String required(Map<String, String> attributes, String attribute) {
        String text = attributes.getOrDefault(attribute, "");
        if (text.isEmpty()) {
            throw missing(attribute);
        }
        return text;
    }

    private static VolumeFailure missing(String attribute) {
        return invalid(attribute, "it is required for an ephemeral cache", "Set it beside cache: ephemeral");
    }

    private static VolumeFailure invalid(String attribute, String problem, String remedy) {
        return VolumeFailure.invalid("volume_context." + attribute, problem, remedy);
    }

    /** As a volume of the pod. */
    default Volume asPodVolume() {
        return switch (this) {
            case EmptyDirectory directory ->
                new VolumeBuilder()
                        .withName(NAME)
                        .withNewEmptyDir()
                        .withMedium(directory.inMemory() ? "Memory" : null)
                        .withSizeLimit(directory.sizeLimit().orElse(null))
                        .endEmptyDir()
                        .build();
            case Disk disk ->
                new VolumeBuilder()
                        .withName(NAME)
                        .withNewEphemeral()
                        .withNewVolumeClaimTemplate()
                        .withNewMetadata()
                        .addToLabels(Driver.NAME + "/type", "local-ephemeral-cache")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withVolumeMode("Filesystem")
                        .withStorageClassName(disk.storageClass())
                        .withNewResources()
                        .addToRequests("storage", disk.size())
                        .endResources()
                        .endSpec()
                        .endVolumeClaimTemplate()
                        .endEphemeral()
                        .build();
        };
    }

    /** The attributes that are about caches. */
    final class Attribute {
        static final String CACHE = "cache";
        static final String SIZE_LIMIT = "cacheEmptyDirSizeLimit";
        static final String MEDIUM = "cacheEmptyDirMedium";
        static final String STORAGE_CLASS = "cacheEphemeralStorageClassName";
        static final String DISK_SIZE = "cacheEphemeralStorageResourceRequest";

        private Attribute() {}
    }
}
