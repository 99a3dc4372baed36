package s3csi.mounter.node;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.LinuxException;
import s3csi.linux.Orphans;

/** The first process of a container inherits every process whose parent ends, and has to take note of its end. */
final class OrphanWatch {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanWatch.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
    private static final long FIRST = 1;

    private OrphanWatch() {}

    /** Begins to watch, if this process is the first one. */
    static void startIfFirst() {
        if (ProcessHandle.current().pid() == FIRST) {
            Thread.ofPlatform().daemon().name("orphans").start(OrphanWatch::watch);
        }
    }

    private static void watch() {
        Orphans orphans = new Orphans();
        try {
            while (true) {
                Thread.sleep(BETWEEN_LOOKS);
                orphans.look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (LinuxException e) {
            LOG.warn("processes that end in this container stay zombies", e);
        }
    }
}
