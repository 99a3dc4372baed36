package s3csi.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import s3csi.linux.FileNames;
import s3csi.linux.LinuxException;
import s3csi.linux.Privileges;
import s3csi.program.LogSetup;
import s3csi.program.Release;
import s3csi.volume.VolumeFailure;

/**
 * What makes a driver a program: its command line, its exit codes, and the signals that end it. What it does is put together by
 * {@link Main}.
 */
final class DriverCommand {
    private static final Logger LOG = LoggerFactory.getLogger(DriverCommand.class);

    private static final int CANNOT_RUN = 1;
    private static final int WRONG_USAGE = 2;
    private static final int LOST_A_THREAD = 3;

    private DriverCommand() {}

    /** Puts a driver together and starts it. */
    interface Start {
        DriverProcess with(DriverConfig config) throws IOException, InterruptedException;
    }

    /**
     * Runs it to its end; the exit code of the process.
     *
     * @param neighbours the directory of this program's own command file, where it is known
     */
    static int run(List<String> arguments, Optional<Path> neighbours, Start start) {
        useUtf8();
        DriverOptions options = new DriverOptions();
        CommandLine command = new CommandLine(options);
        try {
            command.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            return wrongUsage(e);
        }
        if (options.help) {
            command.usage(System.out);
            return 0;
        }
        if (options.version) {
            System.out.println(Release.current().toJson());
            return 0;
        }
        return serve(options, neighbours, start);
    }

    /** Targets may have any names, and a container often has no locale. */
    private static void useUtf8() {
        try {
            FileNames.requireUtf8();
        } catch (IOException e) {
            LOG.warn("paths with letters that are not ASCII cannot be used: {}", e.getMessage());
        }
    }

    private static int wrongUsage(RuntimeException reason) {
        System.err.println("scality-s3-csi-driver: " + reason.getMessage() + "; --help lists the options");
        return WRONG_USAGE;
    }

    private static int serve(DriverOptions options, Optional<Path> neighbours, Start start) {
        LogSetup.verbosity(options.verbosity);
        Thread.setDefaultUncaughtExceptionHandler(DriverCommand::lost);
        try {
            Privileges.keepMemoryPrivate();
        } catch (LinuxException e) {
            LOG.warn("a core file of the driver would hold keys: {}", e.getMessage());
        }
        try {
            runUntilTold(start.with(DriverConfig.of(options, System.getenv(), neighbours)));
            return 0;
        } catch (WrongUsage e) {
            return wrongUsage(e);
        } catch (IllegalArgumentException | VolumeFailure | IOException e) {
            LOG.error("cannot run: {}", e.getMessage());
            return CANNOT_RUN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CANNOT_RUN;
        }
    }

    /** A thread that the driver needs has ended. After an error of the JVM only a new process is sound, and kubelet starts one. */
    private static void lost(Thread thread, Throwable failure) {
        try {
            LOG.error("the thread {} ended by an error", thread.getName(), failure);
        } finally {
            // Also if there is no memory left to say so.
            if (failure instanceof VirtualMachineError) {
                Runtime.getRuntime().halt(LOST_A_THREAD);
            }
        }
    }

    /** SIGTERM and SIGINT arrive as a shutdown hook; it stops the driver and ends the process with 0, as a stop that was asked for. */
    private static void runUntilTold(DriverProcess driver) throws InterruptedException {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            LOG.info("told to stop");
                            driver.close();
                            LOG.info("stopped");
                            Runtime.getRuntime().halt(0);
                        },
                        "stop"));
        new CountDownLatch(1).await();
    }
}
