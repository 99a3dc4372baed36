package s3csi.mounter.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The form in which mount(8) calls us for a line of fstab: {@code <bucket> <directory> -o <options>}.
 *
 * <p>Options are separated by commas. A backslash keeps a comma, a double quote or a backslash as it is; nothing else may follow it,
 * and a double quote may not stand alone, because mount(8) itself gives them a meaning.
 */
final class FstabOptions {
    /** What fstab says to mount(8) and systemd, not to us. */
    private static final Set<String> FOR_OTHERS =
            Set.of("auto", "noauto", "user", "nouser", "users", "_netdev", "nofail", "rw", "nodev", "nosuid");

    private FstabOptions() {}

    static boolean isFstabForm(List<String> arguments) {
        return arguments.size() == 4 && arguments.get(2).equals("-o");
    }

    /** The same as an ordinary command line. */
    static List<String> translate(List<String> arguments) throws UsageError {
        List<String> items = split(arguments.get(3));
        if (items.contains("ro") && items.contains("rw")) {
            throw new UsageError("the fstab options 'ro' and 'rw' cannot be used together");
        }
        List<String> words = new ArrayList<>();
        for (String item : items) {
            if (!item.isEmpty() && !FOR_OTHERS.contains(item) && !item.startsWith("x-")) {
                words.add(translateOne(item));
            }
        }
        words.add("--");
        words.addAll(arguments.subList(0, 2));
        return words;
    }

    private static String translateOne(String item) throws UsageError {
        if (item.startsWith("-")) {
            throw new UsageError("the fstab option '" + item + "' begins with '-'; write the name alone");
        }
        int equals = item.indexOf('=');
        String name = equals < 0 ? item : item.substring(0, equals);
        return switch (name) {
            case "ro" -> "--read-only";
            case "read-only" -> throw new UsageError("the fstab option 'read-only' is not known; write 'ro'");
            case "foreground", "help", "version" ->
                throw new UsageError("the option '" + name + "' cannot be used in fstab");
            default -> "--" + Option.named(name).map(_ -> item).orElseThrow(() -> ArgumentScanner.unknown(name));
        };
    }

    static List<String> split(String text) throws UsageError {
        List<String> items = new ArrayList<>();
        StringBuilder item = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case ',' -> {
                    items.add(item.toString());
                    item.setLength(0);
                }
                case '"' -> throw new UsageError("a double quote in the fstab options must be written as \\\"");
                case '\\' -> {
                    i++;
                    if (i == text.length() || ",\"\\".indexOf(text.charAt(i)) < 0) {
                        throw new UsageError("a backslash in the fstab options may only stand before ',' '\"' or '\\';"
                                + " write \\\\ for the backslash itself");
                    }
                    item.append(text.charAt(i));
                }
                default -> item.append(c);
            }
        }
        items.add(item.toString());
        return items;
    }
}
