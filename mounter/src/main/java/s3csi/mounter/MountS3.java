package s3csi.mounter;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.fuse.session.SessionEnd;
import s3csi.linux.Descriptor;
import s3csi.linux.FileNames;
import s3csi.mounter.command.MountCommand;
import s3csi.mounter.command.UsageError;
import s3csi.mounter.config.LogConfig;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.log.MountLog;
import s3csi.mounter.mount.MeteredMount;
import s3csi.mounter.mount.OpeningLine;
import s3csi.program.CommandFile;
import s3csi.program.Release;

/** {@code mount-s3}: a bucket as a directory. */
public final class MountS3 {
    private static final Logger LOG = LoggerFactory.getLogger(MountS3.class);

    private static final int CANNOT_RUN = 1;
    private static final int WRONG_USAGE = 2;
    /** What mount-s3 ends with when it finds itself broken. */
    private static final int BROKEN = 101;

    private MountS3() {}

    public static void main(String[] fromKernel) {
        List<String> arguments = CommandFile.arguments(fromKernel);
        try {
            FileNames.requireUtf8For(arguments);
        } catch (IOException e) {
            System.err.println("warning: paths with letters that are not ASCII cannot be used: " + e.getMessage());
        }
        System.exit(run(arguments, withHome(System.getenv(), System.getProperty("user.home"))));
    }

    /** mount(8) and systemd start us without HOME, and a line of fstab should find the same keys as its author's shell. */
    static Map<String, String> withHome(Map<String, String> environment, String home) {
        Map<String, String> complete = new HashMap<>(environment);
        complete.merge("HOME", home, (given, _) -> given.isEmpty() ? home : given);
        return complete;
    }

    private static int run(List<String> arguments, Map<String, String> environment) {
        try {
            return switch (MountCommand.parse(
                    arguments, environment, Release.current().version())) {
                case MountCommand.Print(String text) -> {
                    System.out.print(text);
                    yield 0;
                }
                case MountCommand.Mount(MountConfig config) -> mount(config, arguments, environment);
            };
        } catch (UsageError e) {
            System.err.print(e.report());
            return WRONG_USAGE;
        } catch (StartFailure e) {
            System.err.print(e.report());
            return CANNOT_RUN;
        } catch (InterruptedException _) {
            System.err.println("Error: told to stop before the mount was there");
            return CANNOT_RUN;
        } catch (RuntimeException e) {
            LOG.error("a fault in this program ended it", e);
            System.err.println("Error: a fault in this program ended it: " + e);
            return BROKEN;
        }
    }

    private static int mount(MountConfig config, List<String> arguments, Map<String, String> environment)
            throws StartFailure, InterruptedException {
        Optional<Descriptor> report = Background.reportTo(environment);
        if (report.isPresent()) {
            return serveInBackground(config, arguments, report.get());
        }
        if (config.process().foreground()) {
            return serve(config, arguments, List.of(System.out), () -> System.out.println(success(config)));
        }
        if (config.process().isFstab()) {
            System.out.println("Options are read in the form of fstab, because of '-o'");
        }
        config.warnings().forEach(warning -> System.err.println("warning: " + warning));
        Optional<String> failure = Background.start(config, environment);
        if (failure.isPresent()) {
            System.err.print(failure.get());
            return CANNOT_RUN;
        }
        MountLog.lossInBackground(config.log()).ifPresent(loss -> System.err.println("warning: " + loss));
        System.out.println(success(config));
        return 0;
    }

    private static String success(MountConfig config) {
        return config.source() + " is mounted at " + config.mountPoint();
    }

    private static int serveInBackground(MountConfig config, List<String> arguments, Descriptor report)
            throws InterruptedException {
        try {
            return serve(config, arguments, List.of(), () -> Background.reportReady(report));
        } catch (StartFailure e) {
            LOG.error("{}", e.report());
            try {
                Background.reportFailure(report, e.report());
            } catch (IOException unheard) {
                LOG.error("nobody waits for this report any more", unheard);
            }
            return CANNOT_RUN;
        }
    }

    /** Whom to tell that the mount is there. */
    private interface Announcement {
        void isMounted() throws IOException;
    }

    private static int serve(
            MountConfig config, List<String> arguments, List<OutputStream> console, Announcement announcement)
            throws StartFailure, InterruptedException {
        MountLog log = MountLog.start(config.log(), console);
        LOG.info("{}", OpeningLine.of("mount-s3", config, arguments));
        config.warnings().forEach(LOG::warn);
        writePidFile(config.process().pidFile());
        StopSignals stop = StopSignals.install();
        if (!(config.log().destination() instanceof LogConfig.Destination.Nowhere)) {
            Signals.on("USR2", log::nextVerbosity);
        }
        try (MeteredMount metered = MeteredMount.start(config, Release.current().version())) {
            LOG.info("successfully mounted {} at {}", config.source(), config.mountPoint());
            announcement.isMounted();
            stop.stops(metered.mount());
            return exitCode(metered.mount().awaitEnd());
        } catch (IOException e) {
            throw new StartFailure("the one who started this process is gone", e);
        }
    }

    private static int exitCode(SessionEnd end) {
        return switch (end) {
            case SessionEnd.Unmounted() -> {
                LOG.info("unmounted");
                yield 0;
            }
            case SessionEnd.Stopped() -> {
                LOG.info("stopped");
                yield 0;
            }
            case SessionEnd.Aborted() -> {
                LOG.warn("the connection to the kernel was aborted");
                yield 0;
            }
            case SessionEnd.Failed(String reason) -> {
                LOG.error("the mount failed: {}", reason);
                System.err.println("Error: the mount failed: " + reason);
                yield CANNOT_RUN;
            }
        };
    }

    private static void writePidFile(@Nullable Path file) throws StartFailure {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, Long.toString(ProcessHandle.current().pid()));
        } catch (IOException e) {
            throw new StartFailure("the process id cannot be written to " + file, e);
        }
    }
}
