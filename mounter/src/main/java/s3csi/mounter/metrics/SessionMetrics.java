package s3csi.mounter.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.fuse.Operation;
import s3csi.fuse.session.AnsweredRequest;
import s3csi.fuse.session.SessionEvents;
import s3csi.linux.Errno;
import s3csi.mounter.log.RequestLog;

/** Counts the requests of the kernel, and logs what went wrong with them; all of them if the log has that level. */
public final class SessionMetrics implements SessionEvents {
    private static final Logger LOG = LoggerFactory.getLogger(SessionMetrics.class);

    private record Instruments(Histogram latency, LongAdder errors) {}

    /** What the bytes of reads or of writes are counted with. */
    private record Moved(Histogram size, LongAdder bytes) {
        static Moved by(Operation operation, Metrics metrics) {
            return new Moved(
                    metrics.histogram(MetricName.FUSE_IO_SIZE, operation.label()),
                    metrics.counter(MetricName.FUSE_TOTAL_BYTES, operation.label()));
        }

        void count(long moved) {
            size.record(moved);
            bytes.add(moved);
        }
    }

    private final Metrics metrics;
    /** Made when the operation comes for the first time: most of the fifty never do. */
    private final Map<Operation, Instruments> instruments = new ConcurrentHashMap<>();

    private final Moved read;
    private final Moved written;

    public SessionMetrics(Metrics metrics) {
        this.metrics = metrics;
        this.read = Moved.by(Operation.READ, metrics);
        this.written = Moved.by(Operation.WRITE, metrics);
    }

    @Override
    public void answered(Operation operation, long nanos, long bytes, int errno) {
        Instruments own = instruments.get(operation);
        if (own == null) {
            own = make(operation);
        }
        own.latency.record(nanos / 1000);
        if (errno != 0) {
            own.errors.increment();
        } else if (operation == Operation.READ) {
            read.count(bytes);
        } else if (operation == Operation.WRITE) {
            written.count(bytes);
        }
    }

    @Override
    public boolean wantsDetails() {
        return RequestLog.isOn();
    }

    @Override
    public void detailed(AnsweredRequest request) {
        RequestLog.write(request);
    }

    private Instruments make(Operation operation) {
        Instruments made = new Instruments(
                metrics.histogram(MetricName.FUSE_REQUEST_LATENCY, operation.label()),
                metrics.counter(MetricName.FUSE_REQUEST_ERRORS, operation.label()));
        // The registry gives everybody the same instruments, so it does not matter who is last.
        instruments.put(operation, made);
        return made;
    }

    @Override
    public void handlerFailed(Operation operation, long node, Throwable cause) {
        metrics.counter(MetricName.FUSE_HANDLER_FAILURES, operation.label()).increment();
        if (cause instanceof OutOfMemoryError) {
            // Without a trace, which would need memory itself.
            LOG.error(
                    "{} of node {} was answered EIO because memory ran out: {}; the mount goes on. Use a larger"
                            + " --memory-target, or do less at a time",
                    operation.label(),
                    node,
                    String.valueOf(cause.getMessage()));
            return;
        }
        LOG.error(
                "{} of node {} failed by a fault in this program and was answered EIO", operation.label(), node, cause);
    }

    @Override
    public void answerRefused(Operation operation, long node, int errno) {
        LOG.warn("the kernel refused the answer to {} of node {}: {}", operation.label(), node, Errno.name(errno));
    }

    @Override
    public void malformedRequest(int opcode, String fault) {
        LOG.error("request {} of the kernel cannot be understood and was answered EIO: {}", opcode, fault);
    }
}
