package s3csi.mounter.metrics.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import s3csi.mounter.config.MetricsConfig.Temporality;
import s3csi.mounter.metrics.MetricName;
import s3csi.mounter.metrics.Metrics;
import s3csi.s3.testing.HeardLog;

@Timeout(60)
final class MetricsPushTest {
    private static final Duration NEVER = Duration.ofDays(1);

    private final Metrics metrics = new Metrics();
    private final LongAdder counter = metrics.counter(MetricName.S3_REQUEST_COUNT, "GetObject");
    private final List<NumberDataPoint> taken = new ArrayList<>();
    private @Nullable IOException trouble;

    private final HeardLog log = new HeardLog(MetricsPush.class);

    @AfterEach
    void stopListening() {
        log.close();
    }

    private MetricsPush push(Temporality temporality) {
        return new MetricsPush(metrics, this::take, temporality, NEVER, Clock.systemUTC());
    }

    private void take(byte[] request) throws IOException {
        if (trouble != null) {
            throw trouble;
        }
        ExportMetricsServiceRequest.parseFrom(request)
                .getResourceMetrics(0)
                .getScopeMetrics(0)
                .getMetricsList()
                .forEach(metric -> taken.addAll(metric.getSum().getDataPointsList()));
    }

    private List<Long> values() {
        return taken.stream().map(NumberDataPoint::getAsInt).toList();
    }

    @Test
    void deltasAddUpAndFollowEachOther() {
        MetricsPush push = push(Temporality.DELTA);
        counter.add(3);
        push.push();
        push.push();
        counter.add(4);
        push.push();
        assertThat(values()).containsExactly(3L, 4L);
        assertThat(taken.get(1).getStartTimeUnixNano())
                .isGreaterThanOrEqualTo(taken.get(0).getTimeUnixNano());
    }

    @Test
    void cumulativeNumbersCountFromTheStart() {
        MetricsPush push = push(Temporality.CUMULATIVE);
        counter.add(3);
        push.push();
        push.push();
        counter.add(4);
        push.push();
        assertThat(values()).containsExactly(3L, 3L, 7L);
        assertThat(taken.stream().map(NumberDataPoint::getStartTimeUnixNano).distinct())
                .hasSize(1);
    }

    @Test
    void whatCouldNotBePushedComesWithTheNextPush() {
        MetricsPush push = push(Temporality.DELTA);
        counter.add(1);
        push.push();
        long until = taken.getFirst().getTimeUnixNano();
        trouble = new IOException("it answered with status 503");
        for (int i = 0; i < 3; i++) {
            counter.add(10);
            push.push();
        }
        trouble = null;
        counter.add(100);
        push.push();
        assertThat(values()).containsExactly(1L, 130L);
        assertThat(taken.get(1).getStartTimeUnixNano()).isEqualTo(until);
    }

    @Test
    void troubleIsSaidOnceWhenItBeginsAndOnceWhenItEnds() {
        MetricsPush push = push(Temporality.DELTA);
        push.push();
        trouble = new IOException("it answered with status 404");
        push.push();
        push.push();
        trouble = null;
        push.push();
        push.push();
        assertThat(log.warnings()).singleElement().asString().contains("status 404", "Check that", "4318");
        assertThat(log.information()).singleElement().asString().contains("again");
    }

    @Test
    void aFaultInAGaugeDoesNotEndThePushing() {
        MetricsPush push = push(Temporality.DELTA);
        boolean[] isBroken = {true};
        metrics.gauge(MetricName.PROCESS_MEMORY_USAGE, () -> {
            if (isBroken[0]) {
                throw new IllegalStateException("broken");
            }
            return 1;
        });
        counter.add(5);
        push.push();
        assertThat(log.warnings()).singleElement().asString().contains("broken");
        isBroken[0] = false;
        push.push();
        assertThat(values()).containsExactly(5L);
    }

    @Test
    void theLastNumbersArePushedAtTheEnd() {
        MetricsPush push = push(Temporality.DELTA);
        push.start();
        counter.add(9);
        push.close();
        assertThat(values()).containsExactly(9L);
    }

    @Test
    void aCollectorThatNeverEndsDoesNotHoldUpTheEnd() {
        CountDownLatch never = new CountDownLatch(1);
        MetricsPush push = new MetricsPush(
                metrics,
                _ -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                },
                Temporality.DELTA,
                NEVER,
                Clock.systemUTC());
        push.start();
        push.close();
        assertThat(log.warnings()).singleElement().asString().contains("the last metrics");
        never.countDown();
    }
}
