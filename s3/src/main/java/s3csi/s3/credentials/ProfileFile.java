package s3csi.s3.credentials;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of a credentials or config file: sections in brackets, {@code name = value} lines, comments. Nested values (indented
 * lines) belong to settings that no S3 client of ours reads, and are passed over.
 */
final class ProfileFile {
    private final Map<String, Map<String, String>> sections = new HashMap<>();

    private ProfileFile() {}

    static ProfileFile parse(String text) {
        ProfileFile file = new ProfileFile();
        Map<String, String> section = new HashMap<>();
        for (String line : text.lines().toList()) {
            String stripped = line.strip();
            boolean isNested = !line.isEmpty() && Character.isWhitespace(line.charAt(0));
            if (stripped.isEmpty() || stripped.startsWith("#") || stripped.startsWith(";") || isNested) {
                continue;
            }
            if (stripped.startsWith("[")) {
                section = file.sections.computeIfAbsent(sectionName(stripped), _ -> new HashMap<>());
            } else {
                int equals = stripped.indexOf('=');
                if (equals > 0) {
                    section.put(stripped.substring(0, equals).strip(), value(stripped.substring(equals + 1)));
                }
            }
        }
        return file;
    }

    /** Config files say {@code [profile name]} where credentials files say {@code [name]}. */
    private static String sectionName(String line) {
        int end = line.indexOf(']');
        String inside = line.substring(1, end < 0 ? line.length() : end).strip();
        return inside.startsWith("profile ")
                ? inside.substring("profile ".length()).strip()
                : inside;
    }

    /** A comment needs white space before it, because secrets may hold number signs. */
    private static String value(String raw) {
        int comment = raw.indexOf(" #");
        return (comment < 0 ? raw : raw.substring(0, comment)).strip();
    }

    @Nullable
    Map<String, String> section(String name) {
        return sections.get(name);
    }
}
