package s3csi.volume;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What a StorageClass says about the buckets to be made for it. */
public record StorageClassParameters(String bucketNamePrefix, Optional<Region> region) {
    public static final String BUCKET_NAME_PREFIX = "bucketNamePrefix";
    public static final String REGION = "region";

    /** Keys with this prefix belong to the provisioner sidecar, which normally takes them out. */
    private static final String SIDECAR = "csi.storage.k8s.io/";

    private static final Set<String> KNOWN = Set.of(BUCKET_NAME_PREFIX, REGION);

    public static StorageClassParameters parse(Map<String, String> parameters, UnknownParameters unknown) {
        requireBothOrNone(parameters, "provisioner");
        requireBothOrNone(parameters, "node-publish");
        if (unknown == UnknownParameters.REFUSE) {
            refuseUnknown(parameters);
        }
        String prefix = parameters.getOrDefault(BUCKET_NAME_PREFIX, "").strip();
        BucketNaming.faultIn(prefix).ifPresent(fault -> {
            throw VolumeFailure.invalid(
                    "parameters." + BUCKET_NAME_PREFIX,
                    fault,
                    "Use at most " + BucketNaming.LONGEST_PREFIX + " lower-case letters, digits, dots and hyphens,"
                            + " beginning with a letter or digit");
        });
        String region = parameters.getOrDefault(REGION, "").strip();
        return new StorageClassParameters(
                prefix, region.isEmpty() ? Optional.empty() : Optional.of(new Region(region)));
    }

    private static void requireBothOrNone(Map<String, String> parameters, String use) {
        boolean name = isGiven(parameters, SIDECAR + use + "-secret-name");
        boolean namespace = isGiven(parameters, SIDECAR + use + "-secret-namespace");
        if (name != namespace) {
            String missing = name ? "namespace" : "name";
            throw VolumeFailure.invalid(
                    "parameters",
                    use + " secret " + (name ? "name" : "namespace") + " provided but " + missing + " is missing",
                    "Set " + SIDECAR + use + "-secret-" + missing + " in the StorageClass too");
        }
    }

    private static boolean isGiven(Map<String, String> parameters, String key) {
        return !parameters.getOrDefault(key, "").isBlank();
    }

    private static void refuseUnknown(Map<String, String> parameters) {
        Set<String> strangers = new TreeSet<>(parameters.keySet());
        strangers.removeAll(KNOWN);
        strangers.removeIf(key -> key.startsWith(SIDECAR));
        if (!strangers.isEmpty()) {
            throw VolumeFailure.invalid(
                    "parameters",
                    "unknown: "
                            + String.join(
                                    ", ",
                                    strangers.stream()
                                            .limit(5)
                                            .map(Printable::quoted)
                                            .toList()),
                    "A StorageClass of this driver may set " + BUCKET_NAME_PREFIX + " and " + REGION
                            + "; correct the spelling or remove the others");
        }
    }

    /** What to do with parameters that mean nothing here: a typo must not pass silently, but 2.x let everything pass. */
    public enum UnknownParameters {
        REFUSE,
        IGNORE
    }
}
