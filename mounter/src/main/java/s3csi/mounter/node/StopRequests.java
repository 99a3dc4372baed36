package s3csi.mounter.node;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.mounter.Signals;

/**
 * What the signals that mean stop do. While there is no mount they end the process. While there is one they do nothing: a pod that is being
 * deleted or evicted is told to stop while workloads still use its mount, and has until SIGKILL to see them go.
 */
final class StopRequests {
    private static final Logger LOG = LoggerFactory.getLogger(StopRequests.class);

    private static final int ENDED_BY_TERM = 143;

    private final CommDirectory comm;
    private boolean isServing;

    private StopRequests(CommDirectory comm) {
        this.comm = comm;
    }

    static StopRequests install(CommDirectory comm) {
        StopRequests requests = new StopRequests(comm);
        for (String name : List.of("TERM", "INT", "HUP")) {
            Signals.on(name, () -> requests.received(name));
        }
        return requests;
    }

    /** Whether there is a mount now. */
    synchronized void serving(boolean now) {
        isServing = now;
    }

    private synchronized void received(String name) {
        if (isServing) {
            LOG.info("SIG{} is ignored: the mount is served until it is unmounted", name);
            return;
        }
        LOG.info("told to stop by SIG{} before a mount came", name);
        System.exit(comm.isEndWanted() ? 0 : ENDED_BY_TERM);
    }
}
