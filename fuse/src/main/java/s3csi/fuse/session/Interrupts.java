package s3csi.fuse.session;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Brings an interrupt to the request it is for, wherever that is at the moment. */
final class Interrupts {
    /**
     * How often the kernel is asked to send an interrupt again whose request is not known here. The gap it bridges is the moment
     * between reading a request and beginning with it; a request that a dead process read is never found.
     */
    private static final int PATIENCE = 1000;

    private static final long PAUSE_NANOS = 50_000;
    private static final int REMEMBERED = 1024;

    private final PendingRequests pending;
    private final List<DeviceThread> threads;
    private final ConcurrentHashMap<Long, Integer> unknown = new ConcurrentHashMap<>();

    Interrupts(PendingRequests pending, List<DeviceThread> threads) {
        this.pending = pending;
        this.threads = threads;
    }

    /** False if the interrupt should be sent again. */
    boolean deliver(long target) {
        if (toPending(target)) {
            return true;
        }
        for (DeviceThread thread : threads) {
            if (thread.interruptCurrent(target)) {
                // It may have been handed over between the two looks.
                toPending(target);
                return true;
            }
        }
        return isHopeless(target);
    }

    private boolean toPending(long target) {
        @Nullable LaterAnswer answer = pending.find(target);
        if (answer == null) {
            return false;
        }
        answer.interrupt();
        return true;
    }

    private boolean isHopeless(long target) {
        if (unknown.size() > REMEMBERED) {
            unknown.clear();
        }
        if (unknown.merge(target, 1, Integer::sum) > PATIENCE) {
            return true;
        }
        // Long enough for the other thread to get on, short enough for nobody to notice.
        LockSupport.parkNanos(PAUSE_NANOS);
        return false;
    }
}
