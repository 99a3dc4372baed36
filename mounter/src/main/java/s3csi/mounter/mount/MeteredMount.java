package s3csi.mounter.mount;

import java.io.IOException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.FuseDevice;
import s3csi.linux.LinuxException;
import s3csi.linux.Privileges;
import s3csi.mounter.config.MetricsConfig;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.metrics.Metrics;
import s3csi.mounter.metrics.MetricsLog;
import s3csi.mounter.metrics.MetricsServer;
import s3csi.mounter.metrics.otlp.HttpCollector;
import s3csi.mounter.metrics.otlp.MetricsPush;
import s3csi.s3.http.ProxySettings;
import s3csi.volume.EngineTrouble;

/** A mount that is being served, and counted: what both programs run. */
public final class MeteredMount implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MeteredMount.class);

    private final ServedMount mount;
    private final MetricsLog log;
    private final @Nullable MetricsServer server;
    private final @Nullable MetricsPush push;

    private MeteredMount(
            ServedMount mount, MetricsLog log, @Nullable MetricsServer server, @Nullable MetricsPush push) {
        this.mount = mount;
        this.log = log;
        this.server = server;
        this.push = push;
    }

    /** Makes the mount where the settings say; like {@link ServedMount#start}. */
    public static MeteredMount start(MountConfig config, String version) throws StartFailure, InterruptedException {
        return start(config, version, metrics -> ServedMount.start(config, version, metrics));
    }

    /** Serves a device that somebody has mounted. It is closed when the mount ends, or when that cannot begin. */
    public static MeteredMount start(FuseDevice mounted, MountConfig config, String version)
            throws StartFailure, InterruptedException {
        return start(config, version, metrics -> ServedMount.start(mounted, config, version, metrics));
    }

    private interface Start {
        ServedMount with(Metrics metrics) throws StartFailure, InterruptedException;
    }

    private static MeteredMount start(MountConfig config, String version, Start start)
            throws StartFailure, InterruptedException {
        try {
            Privileges.keepMemoryPrivate();
        } catch (LinuxException e) {
            LOG.warn("a core file of this process would hold keys: {}", e.getMessage());
        }
        Metrics metrics = new Metrics();
        MetricsPush push = push(config, version, metrics);
        MetricsServer server = server(config, metrics);
        MetricsLog log = MetricsLog.start(metrics);
        boolean started = false;
        try {
            MeteredMount mount = new MeteredMount(start.with(metrics), log, server, push);
            // Not before: a mount that cannot be made should say so at once, and not wait for a last push.
            if (push != null) {
                push.start();
            }
            started = true;
            return mount;
        } finally {
            if (!started) {
                close(log, server);
            }
        }
    }

    private static @Nullable MetricsServer server(MountConfig config, Metrics metrics) throws StartFailure {
        if (config.metrics().port().isEmpty()) {
            return null;
        }
        int port = config.metrics().port().getAsInt();
        try {
            MetricsServer server = MetricsServer.start(port, metrics);
            LOG.info("metrics are served on port {}", server.port());
            return server;
        } catch (IOException e) {
            throw new StartFailure(
                    EngineTrouble.INVALID_FIELD,
                    "metrics cannot be served on port " + port + "; choose another --metrics-port",
                    e);
        }
    }

    private static @Nullable MetricsPush push(MountConfig config, String version, Metrics metrics) throws StartFailure {
        MetricsConfig.Push settings = config.metrics().push();
        if (settings == null) {
            return null;
        }
        try {
            HttpCollector collector = new HttpCollector(
                    settings.address(),
                    StoreFactory.trust(config.store().caBundle()),
                    ProxySettings.fromEnvironment(config.store().environment().variables()),
                    "mount-s3/" + version);
            return new MetricsPush(metrics, collector, settings.temporality(), settings.interval(), Clock.systemUTC());
        } catch (IllegalArgumentException e) {
            throw new StartFailure(EngineTrouble.INVALID_FIELD, "metrics cannot be pushed to " + settings.address(), e);
        }
    }

    public ServedMount mount() {
        return mount;
    }

    @Override
    public void close() {
        mount.close();
        if (push != null) {
            push.close();
        }
        close(log, server);
    }

    private static void close(MetricsLog log, @Nullable MetricsServer server) {
        log.close();
        if (server != null) {
            server.close();
        }
    }
}
