package s3csi.volume;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The attributes of a volume as a node reads them.
 *
 * @param dynamic whether this driver provisioned it
 * @param pod the workload, where kubelet said so
 * @param proxies variables for the engine, by their names
 */
public record VolumeAttributes(
        String bucket,
        AuthenticationSource source,
        boolean dynamic,
        Optional<Region> region,
        Optional<PodReference> pod,
        Map<String, String> proxies) {
    /**
     * Wider than what this driver makes: stores have had upper case, underscores and 255 characters, and an administrator may mount
     * what is there.
     */
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{2,254}");

    /** The only variables a volume may set; any other could change whose keys go where. */
    private static final Pattern PROXY = Pattern.compile("HTTPS_PROXY|NO_PROXY");

    private static final int LONGEST_PROXY = 2048;

    public VolumeAttributes {
        proxies = Map.copyOf(proxies);
    }

    public static VolumeAttributes parse(Map<String, String> context) {
        String bucket = context.getOrDefault(VolumeContext.BUCKET_NAME, "");
        if (bucket.isEmpty()) {
            throw VolumeFailure.invalid(
                    "volume_context." + VolumeContext.BUCKET_NAME,
                    "Bucket name not provided",
                    "Set bucketName in spec.csi.volumeAttributes of the PersistentVolume");
        }
        if (!BUCKET.matcher(bucket).matches() || bucket.contains("..")) {
            throw VolumeFailure.invalid(
                    "volume_context." + VolumeContext.BUCKET_NAME,
                    Printable.quoted(bucket) + " cannot be the name of a bucket",
                    "Correct bucketName in spec.csi.volumeAttributes of the PersistentVolume");
        }
        String region = context.getOrDefault(VolumeContext.REGION, "").strip();
        return new VolumeAttributes(
                bucket,
                AuthenticationSource.parse(context.getOrDefault(VolumeContext.AUTHENTICATION_SOURCE, "")),
                context.getOrDefault(VolumeContext.DYNAMIC_PROVISIONING, "").equals("true"),
                region.isEmpty() ? Optional.empty() : Optional.of(new Region(region)),
                pod(context),
                proxies(context));
    }

    private static Optional<PodReference> pod(Map<String, String> context) {
        PodReference pod = new PodReference(
                context.getOrDefault(VolumeContext.POD_NAMESPACE, ""),
                context.getOrDefault(VolumeContext.POD_NAME, ""),
                context.getOrDefault(VolumeContext.POD_UID, ""));
        return pod.namespace().isEmpty() || pod.name().isEmpty() || pod.uid().isEmpty()
                ? Optional.empty()
                : Optional.of(pod);
    }

    private static Map<String, String> proxies(Map<String, String> context) {
        Map<String, String> proxies = new TreeMap<>();
        context.forEach((key, value) -> {
            if (key.startsWith(VolumeContext.ENVIRONMENT_PREFIX)) {
                proxies.put(proxyName(key), proxyValue(key, value));
            }
        });
        return proxies;
    }

    private static String proxyName(String key) {
        String name = key.substring(VolumeContext.ENVIRONMENT_PREFIX.length());
        if (!PROXY.matcher(name).matches()) {
            throw VolumeFailure.invalid(
                    "volume_context",
                    Printable.quoted(key) + " cannot be set by a volume",
                    "A volume may set mountpointEnv.HTTPS_PROXY and mountpointEnv.NO_PROXY");
        }
        return name;
    }

    private static String proxyValue(String key, String value) {
        boolean plain = value.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (!plain || value.length() > LONGEST_PROXY) {
            throw VolumeFailure.invalid(
                    "volume_context." + key,
                    "it holds spaces, control characters or more than " + LONGEST_PROXY + " characters",
                    "Use a URL, or a list separated by commas");
        }
        return value;
    }

    /**
     * Whose keys mount it. A Secret that kubelet delivers for a volume of ours was named in its StorageClass, even where the
     * attribute, written before any pod existed, says driver. A hand-made volume means what it says.
     */
    public AuthenticationSource keysOf(Map<String, String> secrets) {
        return dynamic && !secrets.isEmpty() ? AuthenticationSource.SECRET : source;
    }
}
