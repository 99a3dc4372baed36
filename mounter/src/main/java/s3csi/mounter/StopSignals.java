package s3csi.mounter;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.mounter.mount.ServedMount;

/**
 * What the signals that mean stop do: the first one ends the mount in good order, the second one ends the process at once, and so does
 * time, if good order takes too long.
 */
final class StopSignals {
    private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);

    /**
     * The bound that is promised. What good order takes at most adds up to less: 5 seconds for requests under way, 15 for storing what
     * was closed, 3 for aborting the rest, 5 for a last push of metrics.
     */
    private static final Duration MOST = Duration.ofSeconds(30);

    private static final int FORCED = 1;

    private final Thread starter;
    private @Nullable ServedMount mount;
    private boolean isStopping;

    private StopSignals(Thread starter) {
        this.starter = starter;
    }

    /** From now on signals are ours; until there is a mount, they interrupt the calling thread. */
    static StopSignals install() {
        StopSignals signals = new StopSignals(Thread.currentThread());
        for (String name : List.of("TERM", "INT", "HUP")) {
            Signals.on(name, () -> signals.received(name));
        }
        return signals;
    }

    /** There is a mount now. */
    synchronized void stops(ServedMount served) {
        mount = served;
        if (isStopping) {
            stop(served);
        }
    }

    private synchronized void received(String name) {
        if (isStopping) {
            LOG.warn("told to stop again by SIG{}: giving up at once, uploads may be left in the bucket", name);
            halt();
        }
        LOG.info("told to stop by SIG{}", name);
        isStopping = true;
        Thread.ofPlatform().daemon().name("stop-deadline").start(this::haltInTime);
        if (mount == null) {
            starter.interrupt();
        } else {
            stop(mount);
        }
    }

    private static void stop(ServedMount served) {
        Thread.ofPlatform().daemon().name("stop").start(() -> {
            try {
                served.stop();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void haltInTime() {
        try {
            Thread.sleep(MOST);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        LOG.error(
                "stopping takes longer than {} seconds: giving up, uploads may be left in the bucket",
                MOST.toSeconds());
        halt();
    }

    /** Whoever loses a file must find its name. */
    private synchronized void halt() {
        if (mount != null) {
            mount.unstored()
                    .forEach(key -> LOG.error("{} is not known to be stored; look whether the bucket has it", key));
        }
        Runtime.getRuntime().halt(FORCED);
    }
}
