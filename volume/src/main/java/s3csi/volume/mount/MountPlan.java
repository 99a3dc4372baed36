package s3csi.volume.mount;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import s3csi.volume.Printable;
import s3csi.volume.Region;
import s3csi.volume.VolumeFailure;

/**
 * What a volume's options come to.
 *
 * @param options that reach the engine, and warnings for the user about those that do not
 * @param environment of the engine, as far as options decide on it
 * @param readOnly whether the file system shall be mounted read-only, for everybody
 * @param signed whether the engine needs keys
 */
public record MountPlan(MountOptions options, Map<String, String> environment, boolean readOnly, boolean signed) {
    private static final String MAX_ATTEMPTS = "--aws-max-attempts";
    private static final String READ_ONLY = "--read-only";
    private static final Pattern ATTEMPTS = Pattern.compile("[1-9][0-9]{0,3}");

    public MountPlan {
        environment = Map.copyOf(environment);
    }

    /**
     * Makes the plan.
     *
     * @param given the volume's options
     * @param readers whether the volume's access mode is one for readers only
     * @param region where none is among the options
     */
    public static MountPlan of(
            MountOptions given,
            boolean readers,
            Optional<MountGroup> group,
            Optional<Region> region,
            UserAgentPrefix userAgent,
            EnginePlace place) {
        MountOptionPolicy.requireComplete(given);
        Optional<String> attempts = given.value(MAX_ATTEMPTS);
        attempts.ifPresent(MountPlan::requireNumber);
        MountOptions options = MountOptionPolicy.apply(given.without(MAX_ATTEMPTS), place);
        if (group.isPresent()) {
            options = group.get().applyTo(options);
        }
        // Root always gets in, for kubelet; the engine refuses both options together.
        options = options.has("--allow-other") ? options.without("--allow-root") : options.withDefault("--allow-root");
        options = options.withDefault("--force-path-style");
        if (region.isPresent()) {
            options = options.withDefault("--region", region.get().text());
        }
        boolean readOnly = readers || options.has(READ_ONLY);
        // Engines up to 1.23 refuse the option together with a descriptor, and the kernel enforces it anyway.
        options = options.without(READ_ONLY).with("--user-agent-prefix", userAgent.text());
        return new MountPlan(
                options,
                attempts.map(n -> Map.of("AWS_MAX_ATTEMPTS", n)).orElse(Map.of()),
                readOnly,
                !options.has("--no-sign-request"));
    }

    /** For the user, about options that do not take effect. */
    public List<String> warnings() {
        return options.warnings();
    }

    private static void requireNumber(String attempts) {
        if (!ATTEMPTS.matcher(attempts).matches()) {
            throw VolumeFailure.invalid(
                    "mount option " + MAX_ATTEMPTS,
                    Printable.quoted(attempts) + " is not a number of attempts",
                    "Use a number from 1 to 9999");
        }
    }
}
