package s3csi.mounter.mount;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.FuseDevice;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.metrics.Metrics;
import s3csi.mounter.metrics.MetricsLog;
import s3csi.mounter.metrics.MetricsServer;

/** A mount that is being served, and counted: what both programs run. */
public final class MeteredMount implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MeteredMount.class);

    private final ServedMount mount;
    private final MetricsLog log;
    private final @Nullable MetricsServer server;

    private MeteredMount(ServedMount mount, MetricsLog log, @Nullable MetricsServer server) {
        this.mount = mount;
        this.log = log;
        this.server = server;
    }

    /** Makes the mount where the settings say; like {@link ServedMount#start}. */
    public static MeteredMount start(MountConfig config, String version) throws StartFailure, InterruptedException {
        return start(config, metrics -> ServedMount.start(config, version, metrics));
    }

    /** Serves a device that somebody has mounted. It is closed when the mount ends, or when that cannot begin. */
    public static MeteredMount start(FuseDevice mounted, MountConfig config, String version)
            throws StartFailure, InterruptedException {
        return start(config, metrics -> ServedMount.start(mounted, config, version, metrics));
    }

    private interface Start {
        ServedMount with(Metrics metrics) throws StartFailure, InterruptedException;
    }

    private static MeteredMount start(MountConfig config, Start start) throws StartFailure, InterruptedException {
        Metrics metrics = new Metrics();
        MetricsServer server = server(config, metrics);
        MetricsLog log = MetricsLog.start(metrics);
        boolean started = false;
        try {
            MeteredMount mount = new MeteredMount(start.with(metrics), log, server);
            started = true;
            return mount;
        } finally {
            if (!started) {
                close(log, server);
            }
        }
    }

    private static @Nullable MetricsServer server(MountConfig config, Metrics metrics) throws StartFailure {
        if (config.process().metricsPort().isEmpty()) {
            return null;
        }
        int port = config.process().metricsPort().getAsInt();
        try {
            MetricsServer server = MetricsServer.start(port, metrics);
            LOG.info("metrics are served on port {}", server.port());
            return server;
        } catch (IOException e) {
            throw new StartFailure("metrics cannot be served on port " + port + "; choose another --metrics-port", e);
        }
    }

    public ServedMount mount() {
        return mount;
    }

    @Override
    public void close() {
        mount.close();
        close(log, server);
    }

    private static void close(MetricsLog log, @Nullable MetricsServer server) {
        log.close();
        if (server != null) {
            server.close();
        }
    }
}
