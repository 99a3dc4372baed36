package s3csi.driver.node.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import s3csi.linux.Processes;

/**
 * Which processes can be engines: those of our user that run what the engine's command runs. Anybody can write anything on a command
 * line, and so the kernel is asked for the rest.
 */
final class EngineProgram {
    private static final Path SELF = Path.of("/proc/self");
    private static final String DELETED = " (deleted)";
    private static final String INTERPRETER = "#!";
    private static final String USERS = "Uid:";

    private final Path command;

    EngineProgram(Path command) {
        this.command = command;
    }

    /**
     * Whether the process, a directory of /proc, can be an engine.
     *
     * <p>The program may be replaced while engines run: what counts is its path, not the file that is there now.
     */
    boolean isRunBy(Path process) throws IOException {
        Optional<String> executable = executable(process);
        return effectiveUser(process)
                        .filter(user -> user == Processes.effectiveUserId())
                        .isPresent()
                && (executable.isEmpty() || executables().contains(executable.get()));
    }

    /** The command itself, what its first line names, and what runs this driver: a shell may stand before the JVM. */
    private Set<String> executables() throws IOException {
        Set<String> all = new HashSet<>();
        executable(SELF).ifPresent(all::add);
        if (Files.isRegularFile(command)) {
            all.add(command.toRealPath().toString());
            try (BufferedReader reader = Files.newBufferedReader(command, StandardCharsets.ISO_8859_1)) {
                String line = reader.readLine();
                if (line != null && line.startsWith(INTERPRETER)) {
                    Path interpreter =
                            Path.of(line.substring(INTERPRETER.length()).strip().split("\\s+", 2)[0]);
                    all.add(Files.exists(interpreter) ? interpreter.toRealPath().toString() : interpreter.toString());
                }
            }
        }
        return all;
    }

    private static Optional<String> executable(Path process) {
        try {
            String path = Files.readSymbolicLink(process.resolve("exe")).toString();
            return Optional.of(path.endsWith(DELETED) ? path.substring(0, path.length() - DELETED.length()) : path);
        } catch (IOException e) {
            // It ended, or is one of those that even their own user may not look into.
            return Optional.empty();
        }
    }

    /** Not the owner of its directory in /proc, which is root for whoever wants to be looked at by nobody. */
    private static Optional<Integer> effectiveUser(Path process) {
        try {
            return Files.readString(process.resolve("status"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith(USERS))
                    .map(line -> Integer.parseUnsignedInt(line.split("\\s+", -1)[2]))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
