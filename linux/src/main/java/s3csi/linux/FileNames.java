package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * In which letters file names are. A JVM takes that from the locale of its environment once and for all, and containers often have
 * none: then no name is possible that is not ASCII, neither as a path nor as an argument.
 */
public final class FileNames {
    /** Where the JVM says what it took. */
    private static final String ENCODING = "sun.jnu.encoding";

    private static final String VARIABLE = "LC_ALL=";
    private static final String LOCALE = VARIABLE + "C.UTF-8";
    private static final Path SELF = Path.of("/proc/self");
    private static final CFunction EXECVE = CFunction.named("execve");

    private FileNames() {}

    public static boolean areUtf8() {
        return "UTF-8".equalsIgnoreCase(System.getProperty(ENCODING));
    }

    /**
     * Sees to it that they are UTF-8. Where they are not, this program begins again as the same process, with the same arguments and
     * files and a locale in which they are; so this belongs at the very beginning, and does not return then.
     *
     * @throws IOException if that is not possible either; the program can go on with names that are ASCII
     */
    public static void requireUtf8() throws IOException {
        if (areUtf8()) {
            return;
        }
        List<byte[]> environment = new ArrayList<>(parts("environ"));
        if (environment.stream().anyMatch(each -> Arrays.equals(each, bytes(LOCALE)))) {
            throw new IOException("this system has no locale C.UTF-8");
        }
        environment.removeIf(each -> new String(each, StandardCharsets.ISO_8859_1).startsWith(VARIABLE));
        environment.add(bytes(LOCALE));
        List<byte[]> arguments = parts("cmdline");
        byte[] program = bytes(Files.readSymbolicLink(SELF.resolve("exe")).toString());
        Calls.check(
                "execve",
                "of this program",
                (arena, captured) -> EXECVE.callInt(
                        captured, string(arena, program), list(arena, arguments), list(arena, environment)));
    }

    /** The same if one of the arguments needs it: beginning again costs as much as beginning. */
    public static void requireUtf8For(List<String> arguments) throws IOException {
        if (!arguments.stream().allMatch(text -> text.chars().allMatch(letter -> letter < 0x80))) {
            requireUtf8();
        }
    }

    /** As the kernel has them: text that was read in the wrong letters cannot be written back. */
    private static List<byte[]> parts(String file) throws IOException {
        byte[] all = Files.readAllBytes(SELF.resolve(file));
        List<byte[]> parts = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == 0) {
                parts.add(Arrays.copyOfRange(all, begin, i));
                begin = i + 1;
            }
        }
        return parts;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long string(Arena arena, byte[] text) {
        MemorySegment copy = arena.allocate(text.length + 1L);
        MemorySegment.copy(text, 0, copy, JAVA_BYTE, 0, text.length);
        return copy.address();
    }

    private static long list(Arena arena, List<byte[]> texts) {
        MemorySegment array = arena.allocate(JAVA_LONG, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(JAVA_LONG, i, string(arena, texts.get(i)));
        }
        return array.address();
    }
}
