package s3csi.reconciler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import s3csi.control.Leadership;
import s3csi.health.HealthServer;
import s3csi.health.ProgramMetrics;
import s3csi.kubernetes.Cluster;
import s3csi.program.CommandFile;
import s3csi.program.LogSetup;
import s3csi.program.Release;
import s3csi.provisioner.Provisioner;
import s3csi.provisioner.csi.CsiAddress;
import s3csi.reconciler.loop.ApiServerWrites;
import s3csi.reconciler.loop.Controller;
import s3csi.reconciler.model.MountpointPodSettings;
import s3csi.reconciler.release.Refused;

/** {@code scality-csi-controller}: options, client, health, controller, election, and then until it is told to stop. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private static final String PROGRAM = "scality-csi-controller";
    private static final int CANNOT_RUN = 1;
    private static final int WRONG_USAGE = 2;
    private static final int LOST_A_THREAD = 3;
    private static final int REFUSED = 4;

    private Main() {}

    public static void main(String[] fromKernel) {
        System.exit(run(CommandFile.arguments(fromKernel)));
    }

    static int run(List<String> arguments) {
        ControllerOptions options = new ControllerOptions();
        CommandLine command = new CommandLine(options);
        ParseResult parsed;
        try {
            parsed = command.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            System.err.println(PROGRAM + ": " + e.getMessage() + "; --help lists the options");
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
        if (parsed.hasSubcommand()) {
            return once(parsed.subcommand().commandSpec());
        }
        LogSetup.verbosity(options.verbosity);
        Thread.setDefaultUncaughtExceptionHandler(Main::lost);
        try {
            serve(ControllerConfig.of(options, System.getenv(), Cluster.SERVICE_ACCOUNT));
            return 0;
        } catch (KubernetesClientException e) {
            LOG.error("cannot run: the API server does not answer as it should: {}", reason(e));
            return CANNOT_RUN;
        } catch (IllegalArgumentException | IllegalStateException | IOException e) {
            LOG.error("cannot run: {}", e.getMessage());
            return CANNOT_RUN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CANNOT_RUN;
        }
    }

    /** What it prints is read by people: as the log of a Job, or in Helm's words. */
    private static int once(CommandSpec word) {
        ReleaseCommand task = (ReleaseCommand) word.userObject();
        if (task.help) {
            word.commandLine().usage(System.out);
            return 0;
        }
        try (KubernetesClient client = task.cluster(System.getenv(), Cluster.SERVICE_ACCOUNT)
                .connect(PROGRAM, Release.current().version())) {
            task.run(client);
            return 0;
        } catch (Refused e) {
            System.err.println(e.getMessage());
            return REFUSED;
        } catch (KubernetesClientException e) {
            return failed(word, reason(e));
        } catch (IllegalArgumentException e) {
            return failed(word, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CANNOT_RUN;
        }
    }

    private static int failed(CommandSpec word, @Nullable String why) {
        System.err.println(PROGRAM + " " + word.name() + " failed: " + why);
        return CANNOT_RUN;
    }

    /**
     * What the API server said. Where nothing was answered, the library says only that an error has occurred; what it was is in the innermost
     * cause.
     */
    static String reason(KubernetesClientException failure) {
        if (failure.getStatus() != null && failure.getStatus().getMessage() != null) {
            return failure.getStatus().getMessage();
        }
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return innermost.equals(failure) ? String.valueOf(failure.getMessage()) : innermost.toString();
    }

    /** A thread that the controller needs has ended. After an error of the JVM only a new process is sound, and kubelet starts one. */
    private static void lost(Thread thread, Throwable failure) {
        LOG.error("the thread {} ended by an error", thread.getName(), failure);
        if (failure instanceof VirtualMachineError) {
            Runtime.getRuntime().halt(LOST_A_THREAD);
        }
    }

    private static void serve(ControllerConfig config) throws IOException, InterruptedException {
        PrometheusRegistry registry = ProgramMetrics.of(Release.current());
        KubernetesClient client =
                config.cluster().connect(PROGRAM, Release.current().version());
        MountpointPodSettings settings = config.settings().onOpenShift(OpenShift.is(client));
        AtomicReference<Leadership> leadership = new AtomicReference<>();
        Controller controller = new Controller(
                client,
                new ApiServerWrites(client, () -> leadership.get().isLeading()),
                settings,
                Clock.systemUTC(),
                registry);
        leadership.set(new Leadership(
                client,
                config.leaseNamespace(),
                PROGRAM,
                Leadership.identity(System.getenv()),
                controller::lead,
                // Another may lead soon. What is being written ends with this process, well before it.
                () -> Runtime.getRuntime().halt(CANNOT_RUN)));
        Optional<Provisioner> provisioner = config.provisioning()
                .map(driver -> new Provisioner(
                        client,
                        driver,
                        config.leaseNamespace(),
                        Clock.systemUTC(),
                        registry,
                        () -> Runtime.getRuntime().halt(CANNOT_RUN)));
        String http = "off";
        if (config.http().isPresent()) {
            http = String.valueOf(new HealthServer(
                            config.http().get(),
                            () -> controller.trouble().or(() -> provisioner.flatMap(Provisioner::trouble)),
                            registry)
                    .port());
        }
        controller.watch();
        stopWhenTold(() -> {
            controller.close();
            // After the last write, so that another can begin at once.
            leadership.get().close();
            provisioner.ifPresent(Provisioner::close);
            client.close();
        });
        LOG.atInfo()
                .addKeyValue("version", Release.current().version())
                .addKeyValue("commit", Release.current().commit())
                .addKeyValue("namespace", settings.namespace())
                .addKeyValue("image", settings.image())
                .addKeyValue("openshift", settings.isOpenShift())
                .addKeyValue("http", http)
                .addKeyValue(
                        "provisions",
                        config.provisioning().map(CsiAddress::toString).orElse("off"))
                .log("the controller watches");
        leadership.get().start();
        if (provisioner.isPresent()) {
            provisioner.get().start();
        }
        new CountDownLatch(1).await();
    }

    /** SIGTERM and SIGINT arrive as a shutdown hook; it ends the process with 0, as a stop that was asked for. */
    private static void stopWhenTold(Runnable stop) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            LOG.info("told to stop");
                            stop.run();
                            LOG.info("stopped");
                            Runtime.getRuntime().halt(0);
                        },
                        "stop"));
    }
}
