package s3csi.linux;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One line of the mount table.
 *
 * <p>Paths are text, not {@link Path}: a mount point of somebody else may have bytes that are no path in this JVM's locale.
 *
 * @param root which directory of the file system is shown; more than {@code /} at a bind mount
 * @param options of this mount; those of the file system are in {@code superOptions}
 * @param shared whether mounts below it propagate to peers
 */
public record MountEntry(
        int id,
        int parent,
        DeviceNumber device,
        String root,
        String mountPoint,
        Set<String> options,
        boolean shared,
        String type,
        String source,
        Set<String> superOptions) {
    private static final int FIELDS_BEFORE_OPTIONAL = 6;

    /** Reads one line; empty if it is not one, as at a cut-off end. */
    static Optional<MountEntry> parse(String line) {
        List<String> fields = new ArrayList<>(Arrays.asList(line.split(" ", -1)));
        int separator = fields.indexOf("-");
        if (separator < FIELDS_BEFORE_OPTIONAL || fields.size() < separator + 4) {
            return Optional.empty();
        }
        boolean shared =
                fields.subList(FIELDS_BEFORE_OPTIONAL, separator).stream().anyMatch(f -> f.startsWith("shared:"));
        return Optional.of(new MountEntry(
                Integer.parseInt(fields.get(0)),
                Integer.parseInt(fields.get(1)),
                DeviceNumber.parse(fields.get(2)),
                unescape(fields.get(3)),
                unescape(fields.get(4)),
                options(fields.get(5)),
                shared,
                unescape(fields.get(separator + 1)),
                unescape(fields.get(separator + 2)),
                options(fields.get(separator + 3))));
    }

    private static Set<String> options(String field) {
        return new LinkedHashSet<>(Arrays.asList(field.split(",")));
    }

    /** The kernel writes space, tab, newline, backslash and hash as a backslash and three octal digits. */
    static String unescape(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[bytes.length];
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\\' && i + 3 < bytes.length && isOctal(bytes, i + 1)) {
                out[length++] = (byte) ((bytes[i + 1] - '0') << 6 | (bytes[i + 2] - '0') << 3 | (bytes[i + 3] - '0'));
                i += 3;
            } else {
                out[length++] = bytes[i];
            }
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    private static boolean isOctal(byte[] bytes, int from) {
        for (int i = from; i < from + 3; i++) {
            if (bytes[i] < '0' || bytes[i] > '7') {
                return false;
            }
        }
        return true;
    }

    public boolean isFuse() {
        return type.equals("fuse") || type.startsWith("fuse.");
    }

    public boolean isReadOnly() {
        return options.contains("ro") || superOptions.contains("ro");
    }

    public boolean isAt(Path path) {
        return mountPoint.equals(path.toString());
    }

    /** Whether the mount point lies below the directory, not at it. */
    public boolean isBelow(Path directory) {
        return isBelow(mountPoint, directory.toString());
    }

    /** Whether the path lies below the mount point, not at it. */
    public boolean isAbove(Path path) {
        return isBelow(path.toString(), mountPoint);
    }

    private static boolean isBelow(String path, String directory) {
        return path.startsWith(directory)
                && path.length() > directory.length()
                && (directory.endsWith("/") || path.charAt(directory.length()) == '/');
    }
}
