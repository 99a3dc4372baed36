package s3csi.mounter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import s3csi.linux.ChildProcess;
import s3csi.linux.Descriptor;
import s3csi.linux.LinuxException;
import s3csi.linux.Pipe;
import s3csi.linux.Processes;
import s3csi.linux.Spawn;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.StartFailure;

/**
 * Serving in the background. A JVM cannot fork, so the same command is started once more, in a session of its own, and told by a variable
 * through which descriptor it shall report; we wait for that report and pass it on.
 */
final class Background {
    /** Holds the number of the descriptor to report to; only ever set by ourselves. */
    private static final String VARIABLE = "MOUNT_S3_BACKGROUND_REPORT_TO";

    private static final String READY = "0";
    private static final String FAILED = "1";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int USUAL_NUMBER = 3;

    private Background() {}

    /** Where to report to, if this process was started to serve in the background. The descriptor is the caller's. */
    static Optional<Descriptor> reportTo(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(VARIABLE))
                .map(Integer::valueOf)
                .map(Descriptor::owning);
    }

    static void reportReady(Descriptor report) throws LinuxException {
        report(report, READY);
    }

    static void reportFailure(Descriptor report, String text) throws LinuxException {
        report(report, FAILED + text);
    }

    private static void report(Descriptor report, String text) throws LinuxException {
        try (report) {
            Pipe.write(report, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Starts the process that serves and waits until it does; otherwise what it says is the reason. */
    static Optional<String> start(MountConfig config, Map<String, String> environment) throws InterruptedException {
        try (Pipe pipe = Pipe.open()) {
            ChildProcess child = spawn(config, environment, pipe.writer());
            // From now on only the child holds that end: its death is the end of the report.
            pipe.writer().close();
            String report = read(pipe, child);
            if (report.startsWith(READY)) {
                return Optional.empty();
            }
            child.awaitEnd(PATIENCE);
            return Optional.of(report.isEmpty() ? silent() : report.substring(FAILED.length()));
        } catch (IOException e) {
            return Optional.of(new StartFailure("Failed to create mount process", e).report());
        } catch (StartFailure e) {
            return Optional.of(e.report());
        }
    }

    private static ChildProcess spawn(MountConfig config, Map<String, String> environment, Descriptor writer)
            throws IOException {
        Map<Integer, Descriptor> descriptors = new HashMap<>();
        int number = USUAL_NUMBER;
        if (config.mountPoint() instanceof MountPoint.FuseDescriptor(int fuse)) {
            // One that is not open is the child's to complain about.
            if (Files.exists(Path.of("/proc/self/fd", Integer.toString(fuse)), LinkOption.NOFOLLOW_LINKS)) {
                descriptors.put(fuse, Descriptor.owning(fuse));
            }
            number = fuse == USUAL_NUMBER ? USUAL_NUMBER + 1 : USUAL_NUMBER;
        }
        descriptors.put(number, writer);
        Map<String, String> variables = new HashMap<>(environment);
        variables.put(VARIABLE, Integer.toString(number));
        return new Spawn(Path.of("/proc/self/exe").toRealPath(), ownCommandLine(), variables, descriptors, true)
                .start();
    }

    private static List<String> ownCommandLine() throws IOException {
        String line = Files.readString(Path.of("/proc/self/cmdline"));
        return Arrays.asList(line.substring(0, line.length() - 1).split("\0", -1));
    }

    private static String read(Pipe pipe, ChildProcess child)
            throws StartFailure, LinuxException, InterruptedException {
        CompletableFuture<String> report = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("report").start(() -> {
            try {
                report.complete(new String(pipe.readAll(), StandardCharsets.UTF_8));
            } catch (LinuxException e) {
                report.completeExceptionally(e);
            }
        });
        try {
            return report.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException _) {
            child.signal(Processes.SIGTERM);
            throw new StartFailure(
                    "Timeout after " + PATIENCE.toSeconds() + " seconds while waiting for mount process to be ready");
        } catch (ExecutionException e) {
            throw new StartFailure("Failed to create mount process", e.getCause());
        }
    }

    private static String silent() {
        return new StartFailure(
                        "Failed to create mount process",
                        new StartFailure("it ended without saying why; run with --foreground to see more"))
                .report();
    }
}
