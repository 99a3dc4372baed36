package s3csi.driver;

import io.grpc.BindableService;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.bucket.BucketMetrics;
import s3csi.driver.bucket.RegionalClients;
import s3csi.driver.cluster.ApiServer;
import s3csi.driver.cluster.StartupTaint;
import s3csi.driver.cluster.WatchedList;
import s3csi.driver.cluster.WorkloadEvents;
import s3csi.driver.controller.Accounts;
import s3csi.driver.controller.ControllerService;
import s3csi.driver.grpc.CallLog;
import s3csi.driver.grpc.CallMetrics;
import s3csi.driver.grpc.CsiServer;
import s3csi.driver.identity.IdentityService;
import s3csi.driver.node.Mounter;
import s3csi.driver.node.NodeService;
import s3csi.driver.node.PublishReader;
import s3csi.driver.node.Sweeper;
import s3csi.driver.node.VolumeStats;
import s3csi.driver.node.kernel.KernelMounts;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.pod.Assignments;
import s3csi.driver.node.pod.PodMounter;
import s3csi.driver.node.process.ProcessMounter;
import s3csi.driver.node.process.SpawnedEngines;
import s3csi.driver.node.target.BindMounts;
import s3csi.driver.registration.KubeletRegistration;
import s3csi.health.HealthServer;
import s3csi.health.ProgramMetrics;
import s3csi.program.CommandFile;
import s3csi.program.Release;

/** {@code scality-s3-csi-driver}: all that it is put together of. What it is told is in {@link DriverConfig}. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final String VERSION = Release.current().version();

    private Main() {}

    public static void main(String[] fromKernel) {
        System.exit(
                DriverCommand.run(CommandFile.arguments(fromKernel), CommandFile.directory(fromKernel), Main::start));
    }

    static DriverProcess start(DriverConfig config) throws IOException, InterruptedException {
        DriverProcess driver = new DriverProcess();
        boolean isStarted = false;
        try {
            start(config, driver);
            isStarted = true;
            return driver;
        } finally {
            if (!isStarted) {
                driver.close();
            }
        }
    }

    private static void start(DriverConfig config, DriverProcess driver) throws IOException, InterruptedException {
        PrometheusRegistry registry = ProgramMetrics.of(Release.current());
        List<BindableService> services = new ArrayList<>();
        services.add(new IdentityService(VERSION, driver::isReady));
        switch (config.node()) {
            case NodeSetup.ControllerOnly() -> {}
            case NodeSetup.Node node -> services.add(node(node, config, driver));
        }
        services.add(controller(config, registry, driver));
        String http = config.http().isPresent() ? health(config.http().get(), registry, driver) : "off";
        CallLog calls = new CallLog(new CallMetrics(registry));
        driver.serve(new CsiServer(config.csi(), services, calls));
        if (config.registration().isPresent()) {
            driver.register(new KubeletRegistration(config.registration().get(), calls));
        }
        announce(config, http);
    }

    private static ControllerService controller(
            DriverConfig config, PrometheusRegistry registry, DriverProcess driver) {
        BucketMetrics metrics = new BucketMetrics(registry);
        RegionalClients clients = new RegionalClients(config.store());
        driver.stopBy(clients::close);
        return new ControllerService(
                new Accounts(config.keys(), config.region()),
                account -> clients.of(account, metrics),
                metrics,
                config.unknownParameters());
    }

    private static NodeService node(NodeSetup.Node node, DriverConfig config, DriverProcess driver)
            throws IOException, InterruptedException {
        // First, and so given back last: from then on another driver may change everything.
        driver.stopBy(PluginLock.take(node.plugin(), PluginLock.PATIENCE)::close);
        MountCalls mounts = new KernelMounts();
        BindMounts targets = new BindMounts(mounts, node.targetRoot(), node.plugin());
        return switch (node.engines()) {
            case NodeSetup.Engines.Processes engines ->
                service(
                        node,
                        config,
                        driver,
                        mounts,
                        targets,
                        new ProcessMounter(
                                mounts,
                                targets,
                                new SpawnedEngines(engines.command()),
                                node.plugin().toRealPath(),
                                config.keys()::current,
                                engines.store()),
                        (_, _) -> engines.withoutSecret());
            case NodeSetup.Engines.Pods engines -> {
                PodMounter mounter = podMounter(engines, node, config, driver, mounts, targets);
                yield service(node, config, driver, mounts, targets, mounter, mounter::withoutSecret);
            }
        };
    }

    private static NodeService service(
            NodeSetup.Node node,
            DriverConfig config,
            DriverProcess driver,
            MountCalls mounts,
            BindMounts targets,
            Mounter mounter,
            PublishReader.SecretRule withoutSecret) {
        driver.stopBy(new Sweeper(mounter::sweep)::close);
        PublishReader reader = new PublishReader(
                config.keys(), withoutSecret, VERSION, node.engines().place());
        return new NodeService(node.id(), reader, targets, mounter, new VolumeStats(mounts));
    }

    private static PodMounter podMounter(
            NodeSetup.Engines.Pods pods,
            NodeSetup.Node node,
            DriverConfig config,
            DriverProcess driver,
            MountCalls mounts,
            BindMounts targets)
            throws IOException {
        ApiServer server = new ApiServer(pods.server(), pods.account(), "scality-s3-csi-driver/" + VERSION);
        Assignments assignments = new Assignments(
                server,
                pods.node(),
                pods.namespace(),
                "kubectl logs -n " + pods.account().namespace().orElse("kube-system")
                        + " deployment/s3-csi-controller -c s3-pod-reconciler",
                WatchedList.Pace.USUAL,
                Assignments.Patience.USUAL);
        driver.stopBy(assignments::close);
        driver.stopBy(new StartupTaint(server, pods.node(), WatchedList.Pace.USUAL)::close);
        WorkloadEvents events = new WorkloadEvents(server, pods.node(), Clock.systemUTC());
        PodMounter mounter = new PodMounter(
                mounts,
                targets,
                assignments,
                node.plugin().toRealPath(),
                pods.kubelet(),
                config.keys()::current,
                pods.store(),
                mount -> mount.attributes()
                        .pod()
                        .ifPresent(pod -> events.warn(
                                pod, "MountOptionIgnored", mount.plan().warnings())));
        driver.stopBy(mounter::close);
        return mounter;
    }

    /** On which port it is served. */
    private static String health(InetSocketAddress address, PrometheusRegistry registry, DriverProcess driver)
            throws IOException {
        HealthServer health = new HealthServer(address, driver::trouble, registry);
        driver.stopBy(health::close);
        return String.valueOf(health.port());
    }

    private static void announce(DriverConfig config, String http) {
        config.store().doubt().ifPresent(LOG::warn);
        LOG.atInfo()
                .addKeyValue("version", VERSION)
                .addKeyValue("commit", Release.current().commit())
                .addKeyValue("java", Runtime.version())
                .addKeyValue("kernel", System.getProperty("os.version"))
                .addKeyValue("mountpointVersion", config.mountpointVersion())
                .addKeyValue("csi", config.csi())
                .addKeyValue("http", http)
                .addKeyValue("store", config.store().url())
                .addKeyValue("region", config.region())
                .addKeyValue("keys", config.keys())
                .addKeyValue("services", config.node().services())
                .addKeyValue(
                        "registration",
                        config.registration()
                                .map(made -> made.socket().toString())
                                .orElse("off"))
                .log("the driver is ready");
    }
}
