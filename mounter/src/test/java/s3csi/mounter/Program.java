package s3csi.mounter;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import s3csi.linux.ChildProcess;
import s3csi.linux.Descriptor;
import s3csi.linux.ExitStatus;
import s3csi.linux.FileFlags;
import s3csi.linux.PlainFiles;
import s3csi.linux.Processes;
import s3csi.linux.Spawn;
import s3csi.s3.testing.server.MinioServer;

/** {@code mount-s3} as a process of its own, with what it printed. */
record Program(ChildProcess process, Path output) {
    static final Duration LONG = Duration.ofSeconds(60);

    private static final List<String> JAVA = List.of(
            "java",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            MountS3.class.getName(),
            "mount-s3");

    private static final Path JAVA_PROGRAM = Path.of(System.getProperty("java.home"), "bin", "java");

    /** Starts it with the given descriptors beside the usual ones. */
    static Program start(
            Path scratch, Map<String, String> environment, Map<Integer, Descriptor> descriptors, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(JAVA);
        command.addAll(arguments);
        return start(JAVA_PROGRAM, command, scratch, environment, descriptors);
    }

    /** Starts it by another program, which becomes it: the beginning of a command line, with the program's whole path. */
    static Program startBy(List<String> starter, Path scratch, Map<String, String> environment, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.add(JAVA_PROGRAM.toString());
        command.addAll(JAVA.subList(1, JAVA.size()));
        command.addAll(arguments);
        return start(Path.of(starter.getFirst()), command, scratch, environment, Map.of());
    }

    private static Program start(
            Path program,
            List<String> command,
            Path scratch,
            Map<String, String> environment,
            Map<Integer, Descriptor> descriptors)
            throws IOException {
        Path output = Files.createTempFile(scratch, "output", "");
        // Appended to, because a background process writes there too.
        try (Descriptor file = PlainFiles.open(output, FileFlags.O_WRONLY | FileFlags.O_APPEND | FileFlags.O_CLOEXEC)) {
            Map<Integer, Descriptor> all = new HashMap<>(descriptors);
            all.put(1, file);
            all.put(2, file);
            return new Program(new Spawn(program, command, environment, all, false).start(), output);
        }
    }

    static Program start(Path scratch, Map<String, String> environment, String... arguments) throws IOException {
        return start(scratch, environment, Map.of(), List.of(arguments));
    }

    static Map<String, String> keysOf(MinioServer server) {
        return Map.of(
                "AWS_ACCESS_KEY_ID", MinioServer.ROOT.accessKeyId(),
                "AWS_SECRET_ACCESS_KEY", MinioServer.ROOT.secretAccessKey(),
                "AWS_REGION", MinioServer.REGION,
                "AWS_ENDPOINT_URL", server.endpoint().toString());
    }

    static Map<String, String> keysFor(URI endpoint) {
        return Map.of(
                "AWS_ACCESS_KEY_ID", "someone",
                "AWS_SECRET_ACCESS_KEY", "something",
                "AWS_REGION", MinioServer.REGION,
                "AWS_MAX_ATTEMPTS", "1",
                "AWS_ENDPOINT_URL", endpoint.toString());
    }

    String printed() throws IOException {
        return Files.readString(output);
    }

    int exitCode() throws Exception {
        ExitStatus status = process.awaitEnd(LONG)
                .orElseThrow(() -> new AssertionError("mount-s3 did not end; it printed: " + uncheckedOutput()));
        return switch (status) {
            case ExitStatus.Exited(int code) -> code;
            case ExitStatus.Signalled(int signal) -> 128 + signal;
        };
    }

    void awaitPrinted(String text) throws Exception {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!printed().contains(text)) {
            // Looked at once more after its end: the last line may come with it.
            boolean isOver = System.nanoTime() > deadline || !process.isAlive();
            if (isOver && !printed().contains(text)) {
                throw new AssertionError("mount-s3 did not print '" + text + "' but: " + printed());
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** For the end of a test: whatever state it is in. */
    void kill() throws IOException {
        process.signal(Processes.SIGKILL);
    }

    private String uncheckedOutput() {
        try {
            return printed();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
