package s3csi.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the C compiler of this machine says of expressions: the truth that layouts and constants are compared with. */
final class CProgram {
    private CProgram() {}

    /** The value of each expression, as the compiler sees it with these headers. */
    static Map<String, Long> values(List<String> headers, List<String> expressions, Path directory)
            throws IOException, InterruptedException {
        String source = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stddef.h>\n"
                + headers.stream().map(each -> "#include <" + each + ">\n").collect(Collectors.joining())
                + "int main(void) {\n"
                + expressions.stream()
                        .map(each -> "  printf(\"%lld\\n\", (long long) (" + each + "));\n")
                        .collect(Collectors.joining())
                + "  return 0;\n}\n";
        Path program = directory.resolve("values");
        Path file = directory.resolve("values.c");
        Files.writeString(file, source);
        run(List.of("cc", "-o", program.toString(), file.toString()));
        List<String> lines = run(List.of(program.toString())).lines().toList();
        Map<String, Long> values = new LinkedHashMap<>();
        for (int i = 0; i < expressions.size(); i++) {
            values.put(expressions.get(i), Long.parseLong(lines.get(i)));
        }
        return values;
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new AssertionError(
                    "cannot run " + command.getFirst()
                            + ": this test compares with C; install a C compiler (package gcc)",
                    e);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + " failed:\n" + output);
        }
        return output;
    }
}
