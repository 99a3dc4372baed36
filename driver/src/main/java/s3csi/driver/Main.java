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
import s3csi.program.CommandFile;
import s3csi.program.LogSetup;
import s3csi.program.Release;
import s3csi.volume.VolumeFailure;

/** {@code scality-s3-csi-driver}. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private static final int CANNOT_RUN = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    public static void main(String[] fromKernel) {
        System.exit(run(CommandFile.arguments(fromKernel), CommandFile.directory(fromKernel)));
    }

    private static int run(List<String> arguments, Optional<Path> neighbours) {
        DriverOptions options = new DriverOptions();
        CommandLine command = new CommandLine(options);
        try {
            command.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            System.err.println("scality-s3-csi-driver: " + e.getMessage() + "; --help lists the options");
            return WRONG_USAGE;
        }
        if (options.help) {
            command.usage(System.out);
            return 0;
        }
        if (options.version) {
            System.out.println(Release.current().toJson());
            return 0;
        }
        return serve(options, neighbours);
    }

    private static int serve(DriverOptions options, Optional<Path> neighbours) {
        LogSetup.verbosity(options.verbosity);
        try {
            runUntilTold(new DriverProcess(DriverConfig.of(options, System.getenv(), neighbours)));
            return 0;
        } catch (IllegalArgumentException | VolumeFailure | IOException e) {
            LOG.error("cannot run: {}", e.getMessage());
            return CANNOT_RUN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CANNOT_RUN;
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
