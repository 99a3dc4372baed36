package s3csi.volume.mount;

import java.util.Optional;
import java.util.regex.Pattern;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/** One option for the engine: {@code --key}, {@code --key=value}, or the same with one dash and a letter. */
public record MountOption(String key, Optional<String> value) {
    private static final Pattern KEY = Pattern.compile("--[A-Za-z0-9][A-Za-z0-9-]*|-[A-Za-z]");
    private static final Pattern ANOTHER_OPTION = Pattern.compile("(?:^| )--[A-Za-z]");

    private static final int LONGEST = 4096;
    private static final String PREFIX = "--prefix";
    private static final String ONE_EACH =
            "Write one option in each entry of mountOptions, as in \"prefix data/\" or \"allow-delete\"";

    /**
     * Reads an option as people write it in a PersistentVolume: with or without dashes, the value behind a space or an equals
     * sign, whichever comes first. The rest of the value is taken as it is, so {@code prefix env=prod/a b/} works.
     */
    static MountOption parse(String text) {
        requireHarmless(text);
        String trimmed = trim(text);
        int end = separator(trimmed);
        String name = trimmed.substring(0, end);
        String key = name.startsWith("-") ? name : "--" + name;
        if (!KEY.matcher(key).matches()) {
            throw VolumeFailure.invalid(
                    "mount option " + Printable.quoted(text),
                    Printable.quoted(name) + " cannot be the name of an option",
                    ONE_EACH);
        }
        String value = end == trimmed.length() ? "" : trim(trimmed.substring(end + 1));
        // Objects may be called like that, so in a prefix it is no mistake.
        if (!key.equals(PREFIX) && ANOTHER_OPTION.matcher(value).find()) {
            throw VolumeFailure.invalid(
                    "mount option " + Printable.quoted(text), "it seems to hold several options", ONE_EACH);
        }
        return new MountOption(key, value.isEmpty() ? Optional.empty() : Optional.of(value));
    }

    private static void requireHarmless(String text) {
        if (text.length() > LONGEST) {
            throw VolumeFailure.invalid(
                    "mount option " + Printable.quoted(text),
                    "it has more than " + LONGEST + " characters",
                    "Use shorter options");
        }
        if (!Printable.isPrintable(text)) {
            throw VolumeFailure.invalid(
                    "mount option " + Printable.quoted(text),
                    "it holds control characters",
                    "Use printable characters only");
        }
    }

    private static int separator(String text) {
        int space = text.indexOf(' ');
        int equals = text.indexOf('=');
        if (space < 0 || equals < 0) {
            return Math.max(space, equals) < 0 ? text.length() : Math.max(space, equals);
        }
        return Math.min(space, equals);
    }

    /** Spaces only: other white space in a value is the user's, and not printable anyway. */
    private static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (to > from && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }

    /** As the engine takes it. */
    public String text() {
        return value.map(v -> key + "=" + v).orElse(key);
    }

    @Override
    public String toString() {
        return text();
    }
}
