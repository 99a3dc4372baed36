package s3csi.volume.mount;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/**
 * The options of a mount, each at most once; where a key is given twice the last one wins.
 *
 * @param byKey the options by their normalised key
 * @param warnings what the user should know about what they wrote
 */
public record MountOptions(Map<String, MountOption> byKey, List<String> warnings) {
    /** What makes no sense for an engine that somebody else starts; people copy them from command lines. */
    private static final Set<String> DROPPED = Set.of("--foreground", "-f", "--help", "-h", "--version", "-v", "-V");

    private static final int MOST = 256;

    public MountOptions {
        byKey = Collections.unmodifiableMap(new TreeMap<>(byKey));
        warnings = List.copyOf(warnings);
    }

    public static MountOptions parse(List<String> texts) {
        if (texts.size() > MOST) {
            throw VolumeFailure.invalid(
                    "mount options", "there are more than " + MOST + " of them", "Use the options you need");
        }
        Map<String, MountOption> found = new TreeMap<>();
        List<String> warnings = new ArrayList<>();
        for (String text : texts) {
            MountOption option = MountOption.parse(text);
            if (DROPPED.contains(option.key())) {
                continue;
            }
            MountOption before = found.put(option.key(), option);
            if (before != null && !before.equals(option)) {
                warnings.add("mount option " + option.key() + " is given twice; the last one, "
                        + Printable.quoted(option.text()) + ", is used");
            }
        }
        return new MountOptions(found, warnings);
    }

    public boolean has(String key) {
        return byKey.containsKey(key);
    }

    public Optional<String> value(String key) {
        return Optional.ofNullable(byKey.get(key)).flatMap(MountOption::value);
    }

    /** With this flag, unless there is one. */
    MountOptions withDefault(String key) {
        return has(key) ? this : with(new MountOption(key, Optional.empty()));
    }

    /** With this value, unless the key is given. */
    MountOptions withDefault(String key, String value) {
        return has(key) ? this : with(key, value);
    }

    /** With this value, whatever was given. */
    MountOptions with(String key, String value) {
        return with(new MountOption(key, Optional.of(value)));
    }

    private MountOptions with(MountOption option) {
        Map<String, MountOption> more = new TreeMap<>(byKey);
        more.put(option.key(), option);
        return new MountOptions(more, warnings);
    }

    MountOptions without(String key) {
        Map<String, MountOption> less = new TreeMap<>(byKey);
        less.remove(key);
        return new MountOptions(less, warnings);
    }

    MountOptions warning(String text) {
        List<String> more = new ArrayList<>(warnings);
        more.add(text);
        return new MountOptions(byKey, more);
    }

    /** As arguments of the engine, in the order of their text. */
    public List<String> arguments() {
        return byKey.values().stream().map(MountOption::text).sorted().toList();
    }
}
