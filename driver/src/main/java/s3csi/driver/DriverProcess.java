package s3csi.driver;

import io.grpc.BindableService;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.bucket.BucketMetrics;
import s3csi.driver.bucket.S3Clients;
import s3csi.driver.controller.Accounts;
import s3csi.driver.controller.ControllerService;
import s3csi.driver.grpc.CallLog;
import s3csi.driver.grpc.CallMetrics;
import s3csi.driver.grpc.CsiServer;
import s3csi.driver.health.HealthServer;
import s3csi.driver.identity.IdentityService;
import s3csi.driver.node.ProcessNode;
import s3csi.driver.node.PublishReader;
import s3csi.program.Release;

/** The parts of a running driver, put together and taken apart again. */
final class DriverProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DriverProcess.class);

    /** Calls get this long to end; with the rest of the way out it stays below three seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final S3Clients clients;
    private final Optional<PluginLock> lock;
    private final Optional<ProcessNode.Parts> node;
    private final CsiServer csi;
    private final Optional<HealthServer> health;

    DriverProcess(DriverConfig config) throws IOException, InterruptedException {
        PrometheusRegistry registry = new PrometheusRegistry();
        describe(registry);
        BucketMetrics bucketMetrics = new BucketMetrics(registry);
        clients = new S3Clients(config.store());
        ControllerService controller = new ControllerService(
                new Accounts(config.keys(), config.region()),
                account -> clients.of(account, bucketMetrics),
                bucketMetrics,
                config.unknownParameters());
        IdentityService identity = new IdentityService(Release.current().version(), this::isReady);
        lock = lock(config);
        node = start(config);
        List<BindableService> services = new ArrayList<>(List.of(identity, controller));
        node.ifPresent(parts -> services.add(parts.service()));
        csi = new CsiServer(config.csi(), services, List.of(new CallLog(new CallMetrics(registry))));
        health = config.http().isPresent()
                ? Optional.of(new HealthServer(config.http().get(), this::isReady, registry))
                : Optional.empty();
        csi.start();
        LOG.atInfo()
                .addKeyValue("version", Release.current().version())
                .addKeyValue("commit", Release.current().commit())
                .addKeyValue("mountpointVersion", config.mountpointVersion())
                .addKeyValue("csi", config.csi())
                .addKeyValue(
                        "http",
                        health.map(HealthServer::port).map(String::valueOf).orElse("off"))
                .addKeyValue("store", config.store().url())
                .addKeyValue("region", config.region())
                .addKeyValue("services", node.isPresent() ? "controller, node" : "controller")
                .log("the driver is ready");
    }

    /** The controller shares its directory with nobody, and changes nothing on its node. */
    private static Optional<PluginLock> lock(DriverConfig config) throws IOException, InterruptedException {
        return config.node().isPresent()
                ? Optional.of(PluginLock.take(config.node().get().plugin(), PluginLock.PATIENCE))
                : Optional.empty();
    }

    private static Optional<ProcessNode.Parts> start(DriverConfig config) throws IOException {
        return config.node().isPresent()
                ? Optional.of(config.node()
                        .get()
                        .start(new PublishReader(
                                config.keys(), Release.current().version())))
                : Optional.empty();
    }

    private static void describe(PrometheusRegistry registry) {
        JvmMetrics.builder().register(registry);
        Info.builder()
                .name("s3csi_build")
                .help("Which build this is")
                .labelNames("version", "commit")
                .register(registry)
                .addLabelValues(Release.current().version(), Release.current().commit());
    }

    private boolean isReady() {
        return csi.isListening();
    }

    @Override
    public void close() {
        csi.stop(PATIENCE);
        node.ifPresent(parts -> parts.sweeper().close());
        health.ifPresent(HealthServer::close);
        clients.close();
        // Last: from then on another driver may change everything.
        lock.ifPresent(PluginLock::close);
    }
}
