package s3csi.mounter.node;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.fuse.session.SessionEnd;
import s3csi.linux.FuseDevice;
import s3csi.mounter.Signals;
import s3csi.mounter.command.MountCommand;
import s3csi.mounter.command.UsageError;
import s3csi.mounter.config.LogConfig;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.log.MountLog;
import s3csi.mounter.mount.MeteredMount;
import s3csi.mounter.mount.OpeningLine;
import s3csi.volume.EngineTrouble;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;

/** The life of a mounter: wait for a mount, serve it, and leave behind what the node service should know. */
final class VolumeEngine {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeEngine.class);

    private static final int DONE = 0;
    private static final int SHOULD_RUN_AGAIN = 1;

    private final CommDirectory comm;
    private final MountListener.Rules rules;
    private final OutputStream console;
    private final String version;

    VolumeEngine(CommDirectory comm, MountListener.Rules rules, OutputStream console, String version) {
        this.comm = comm;
        this.rules = rules;
        this.console = console;
        this.version = version;
    }

    /** Hears whether there is a mount to serve. */
    interface Duty {
        void serving(boolean now);
    }

    /**
     * Runs to the end of the mount; the exit code of the process. A mount that could not be made is no end: whoever mends what was wrong hands
     * another one over, and a process that ended instead would be started again later and later.
     */
    int run(Duty duty) throws InterruptedException {
        try {
            MountLog.start(LogConfig.CONSOLE, List.of(console));
            LOG.info("{}", OpeningLine.of("scality-s3-csi-mounter"));
            boolean wasServed = false;
            while (!wasServed) {
                Optional<HandedMount> mount = next();
                if (mount.isEmpty()) {
                    LOG.info("nobody wants a mount any more");
                    return DONE;
                }
                duty.serving(true);
                wasServed = serve(mount.get());
                duty.serving(wasServed);
            }
        } catch (StartFailure e) {
            report(e.trouble(), e.report());
        } catch (IOException e) {
            report(EngineTrouble.ENGINE_FAILED, "Error: the mounter cannot work in " + comm.path() + ": " + e + "\n");
        } catch (RuntimeException e) {
            LOG.error("a fault in this program ended it", e);
            report(EngineTrouble.ENGINE_FAILED, "Error: a fault in this program ended it: " + e + "\n");
        }
        return comm.isEndWanted() ? DONE : SHOULD_RUN_AGAIN;
    }

    /** Nothing answers on the socket while a mount is served. */
    private Optional<HandedMount> next() throws IOException {
        try (MountListener listener = MountListener.open(comm, rules)) {
            return listener.await();
        }
    }

    /** False if that could not begin, and the node service was told why. */
    private boolean serve(HandedMount handed) throws InterruptedException {
        LOG.info("{}", handed.message());
        try (FuseDevice device = handed.device();
                CachePlace cache = new CachePlace(comm, CachePlace.VOLUME)) {
            MountConfig config = settings(handed.message(), device, cache);
            MountLog log = MountLog.start(config.log(), List.of(console));
            Signals.on("USR2", log::nextVerbosity);
            LOG.info("{}", OpeningLine.of(config));
            config.warnings().forEach(LOG::warn);
            try (MeteredMount metered = MeteredMount.start(device, config, version)) {
                LOG.info("serving {}", config.source());
                ended(metered.mount().awaitEnd());
            }
            return true;
        } catch (UsageError e) {
            report(EngineTrouble.INVALID_FIELD, e.reportForVolume());
        } catch (StartFailure e) {
            report(e.trouble(), e.report());
        }
        return false;
    }

    private static MountConfig settings(MountMessage message, FuseDevice device, CachePlace cache)
            throws UsageError, StartFailure {
        try {
            MountConfig config = MountCommand.ofNode(
                    message.bucketName(),
                    message.args(),
                    message.environment(),
                    new MountPoint.FuseDescriptor(device.descriptor().number()),
                    cache::insteadOf);
            return config.log().destination() instanceof LogConfig.Destination.Syslog
                    ? config.withLog(config.log().withDestination(new LogConfig.Destination.Console()))
                    : config;
        } catch (StartFailure e) {
            throw new StartFailure(EngineTrouble.INVALID_FIELD, String.valueOf(e.getMessage()), e.getCause());
        }
    }

    private void ended(SessionEnd end) {
        switch (end) {
            case SessionEnd.Unmounted() -> LOG.info("unmounted");
            case SessionEnd.Stopped() -> LOG.info("stopped");
            case SessionEnd.Aborted() -> LOG.warn("the connection to the kernel was aborted");
            case SessionEnd.Failed(String reason) ->
                report(EngineTrouble.ENGINE_FAILED, "Error: the mount failed: " + reason + "\n");
        }
    }

    /** The log says it too: it is what people look at first. */
    private void report(EngineTrouble trouble, String words) {
        LOG.error("{}: {}", trouble.word(), words.strip());
        try {
            comm.write(new EngineReport(trouble, words));
        } catch (IOException e) {
            LOG.error("that cannot be told to the node service", e);
        }
    }
}
