package s3csi.mounter.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import s3csi.s3.StoreObserver;
import s3csi.s3.StoreOperation;

/** Counts the requests to the store. */
public final class StoreMetrics implements StoreObserver {
    private static final int FIRST_ERROR = 400;

    private record Instruments(LongAdder count, Histogram total, Histogram firstByte) {}

    private final Metrics metrics;
    private final Map<StoreOperation, Instruments> instruments = new EnumMap<>(StoreOperation.class);
    private final AtomicInteger connections = new AtomicInteger();

    public StoreMetrics(Metrics metrics) {
        this.metrics = metrics;
        for (StoreOperation operation : StoreOperation.values()) {
            String label = operation.label();
            instruments.put(
                    operation,
                    new Instruments(
                            metrics.counter(MetricName.S3_REQUEST_COUNT, label),
                            metrics.histogram(MetricName.S3_REQUEST_TOTAL_LATENCY, label),
                            metrics.histogram(MetricName.S3_REQUEST_FIRST_BYTE_LATENCY, label)));
        }
        metrics.gauge(MetricName.S3_CLIENT_CONNECTIONS, connections::get);
    }

    @Override
    public void requestEnded(StoreOperation operation, int status, Duration firstByte, Duration total) {
        Instruments own = instruments.get(operation);
        if (own != null) {
            own.count.increment();
            own.total.record(total.toNanos() / 1000);
            own.firstByte.record(firstByte.toNanos() / 1000);
        }
        if (status == 0 || status >= FIRST_ERROR) {
            metrics.counter(MetricName.S3_REQUEST_ERRORS, operation.label(), Integer.toString(status))
                    .increment();
        }
    }

    @Override
    public void retried(StoreOperation operation, String reason) {
        metrics.counter(MetricName.S3_REQUEST_RETRIES, operation.label()).increment();
    }

    @Override
    public void outageEnded(Duration length, int requests) {
        metrics.counter(MetricName.S3_OUTAGES).increment();
        metrics.counter(MetricName.S3_REQUESTS_DELAYED).add(requests);
    }

    @Override
    public void integrityViolated(StoreOperation operation) {
        metrics.counter(MetricName.S3_INTEGRITY_ERRORS, operation.label()).increment();
    }

    @Override
    public void connectionsChanged(int delta) {
        connections.addAndGet(delta);
    }
}
