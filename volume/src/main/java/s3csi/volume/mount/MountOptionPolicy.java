package s3csi.volume.mount;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/**
 * Which options of a volume reach its engine. What is forbidden is taken out with a warning and the volume works without it, as
 * releases before did; only what tries to lead somewhere else is refused.
 */
final class MountOptionPolicy {
    private static final Map<String, String> FORBIDDEN = forbidden();

    /** Options that name a file, a directory, or a directory of the bucket. */
    private static final List<String> PATHS = List.of("--prefix", "--cache", "--ca-bundle", "--log-directory", "-l");

    private MountOptionPolicy() {}

    private static Map<String, String> forbidden() {
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put("--profile", "keys come from Secrets only");
        // A volume that chooses its endpoint could have the driver's keys sent anywhere.
        reasons.put("--endpoint-url", "the endpoint is the cluster administrator's choice");
        reasons.put("--cache-xz", "it is for directory buckets");
        reasons.put("--incremental-upload", "it is for directory buckets; allow-append is not");
        reasons.put("--storage-class", "objects are written in the store's default class");
        reasons.put("-o", "options are written one by one");
        reasons.put("--ca-bundle", "trust is the cluster administrator's choice");
        reasons.put("--auto-unmount", "the node service unmounts");
        reasons.put("--log-directory", "logs go to the engine's standard error");
        reasons.put("-l", "logs go to the engine's standard error");
        return reasons;
    }

    static MountOptions apply(MountOptions options) {
        PATHS.forEach(key -> options.value(key).ifPresent(path -> refuseTraversal(key, path)));
        MountOptions allowed = options;
        for (Map.Entry<String, String> rule : FORBIDDEN.entrySet()) {
            if (allowed.has(rule.getKey())) {
                allowed = allowed.without(rule.getKey())
                        .warning("mount option " + rule.getKey() + " is ignored: " + rule.getValue());
            }
        }
        return allowed;
    }

    private static void refuseTraversal(String key, String path) {
        if (Arrays.asList(path.split("/", -1)).contains("..")) {
            throw VolumeFailure.invalid(
                    "mount option " + key,
                    Printable.quoted(path) + " leads out of its directory",
                    "Use a path without \"..\"");
        }
    }
}
