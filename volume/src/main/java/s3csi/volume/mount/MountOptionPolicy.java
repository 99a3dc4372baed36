package s3csi.volume.mount;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/**
 * Which options of a volume reach its engine. What is forbidden is taken out with a warning and the volume works without it, as
 * releases before did; only what tries to lead somewhere else is refused.
 */
final class MountOptionPolicy {
    private static final Map<String, String> FORBIDDEN = forbidden();

    /** Whoever may describe a volume could listen on the node, and post into networks that only the node reaches. */
    private static final Map<String, String> FORBIDDEN_ON_NODES = Map.of(
            "--metrics-port", "the engine would listen in the node's own network",
            "--otlp-endpoint", "the engine would post into the node's own network",
            "--otlp-export-interval", "nothing is pushed from an engine in the node's own network");

    private static final String MEMORY_TARGET = "--memory-target";
    /** All that the engine takes for a number: digits of any script. */
    private static final Pattern NUMBER = Pattern.compile("[+]?\\p{Nd}+");

    /** Options that name a file, a directory, or a directory of the bucket. */
    private static final List<String> PATHS = List.of("--prefix", "--cache", "--ca-bundle", "--log-directory", "-l");

    /** Options that mean nothing without a value. Left to themselves, they could take the next option for it. */
    private static final List<String> VALUED = List.of(
            "--prefix",
            "--cache",
            "--aws-max-attempts",
            "--store-patience",
            "--uid",
            "--gid",
            "--dir-mode",
            "--file-mode");

    /** What the driver does itself, so that no engine complains about a value that it ignores. */
    private static final List<String> FLAGS = List.of("--read-only", "--no-sign-request", "--allow-other");

    private MountOptionPolicy() {}

    /** An option whose meaning the driver knows has a value if it takes one, and none if it does not. */
    static void requireComplete(MountOptions options) {
        for (String key : VALUED) {
            if (options.has(key) && options.value(key).isEmpty()) {
                throw VolumeFailure.invalid(
                        "mount option " + key,
                        "its value is missing",
                        "Write it as \"" + key.substring(2) + " VALUE\"");
            }
        }
        for (String key : FLAGS) {
            options.value(key).ifPresent(value -> {
                throw VolumeFailure.invalid(
                        "mount option " + key,
                        "it takes no value such as " + Printable.quoted(value),
                        "Write \"" + key.substring(2) + "\", or leave it out");
            });
        }
    }

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

    static MountOptions apply(MountOptions options, EnginePlace place) {
        PATHS.forEach(key -> options.value(key).ifPresent(path -> refuseTraversal(key, path)));
        MountOptions allowed = strip(options, FORBIDDEN);
        return switch (place) {
            case EnginePlace.Node node -> limitMemory(strip(allowed, FORBIDDEN_ON_NODES), node.mostMemory());
            // Its container's limit counts, whatever the volume asks for.
            case EnginePlace.Pod _ -> allowed;
        };
    }

    private static MountOptions strip(MountOptions options, Map<String, String> forbidden) {
        MountOptions allowed = options;
        for (Map.Entry<String, String> rule : forbidden.entrySet()) {
            if (allowed.has(rule.getKey())) {
                allowed = allowed.without(rule.getKey())
                        .warning("mount option " + rule.getKey() + " is ignored: " + rule.getValue());
            }
        }
        return allowed;
    }

    private static MountOptions limitMemory(MountOptions options, int most) {
        Optional<String> tooMuch = options.value(MEMORY_TARGET)
                .filter(asked -> NUMBER.matcher(asked).matches())
                .filter(asked -> new BigInteger(asked).compareTo(BigInteger.valueOf(most)) > 0);
        return tooMuch.isEmpty()
                ? options
                : options.with(MEMORY_TARGET, Integer.toString(most))
                        .warning("mount option " + MEMORY_TARGET + " is lowered to " + most
                                + " MiB, the most that an engine on this node may have");
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
