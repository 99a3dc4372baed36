package s3csi.fuse.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a session counts. Adders, because every device thread counts every request. */
final class Counters {
    final LongAdder requests = new LongAdder();
    final LongAdder forgets = new LongAdder();
    final LongAdder interrupts = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    final LongAdder errors = new LongAdder();
    final LongAdder handlerFailures = new LongAdder();
    final AtomicLong keptBytes = new AtomicLong();

    SessionCounters snapshot(long pending) {
        return new SessionCounters(
                requests.sum(),
                forgets.sum(),
                interrupts.sum(),
                cancelled.sum(),
                errors.sum(),
                handlerFailures.sum(),
                pending,
                keptBytes.get());
    }
}
