package s3csi.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReconcileLoopTest {
    private final AtomicLong time = new AtomicLong();
    private final WorkQueue<String> queue = new WorkQueue<>(() -> System.nanoTime() + time.get());
    private final PrometheusRegistry registry = new PrometheusRegistry();

    private ReconcileLoop<String> loop(int most, Function<String, Optional<Duration>> reconcile) {
        ReconcileLoop<String> loop = new ReconcileLoop<>(
                queue,
                reconcile,
                new LoopMetrics(registry, "outcomes", "By how it ended"),
                new Backoff<>(Duration.ofMillis(1), RandomGenerator.getDefault()),
                most);
        loop.start();
        return loop;
    }

    private double count(String outcome) {
        return registry.scrape().stream()
                .filter(CounterSnapshot.class::isInstance)
                .flatMap(snapshot -> ((CounterSnapshot) snapshot).getDataPoints().stream())
                .filter(point -> outcome.equals(point.getLabels().get("outcome")))
                .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
                .sum();
    }

    @Test
    void whatFailsIsTriedAgainUntilItWorksAndCountedByHowItEnded() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        try (ReconcileLoop<String> _ = loop(1, _ -> switch (tries.incrementAndGet()) {
            case 1 ->
                throw new KubernetesClientException(
                        new StatusBuilder().withCode(409).build());
            case 2 -> throw new Outdated("the attachment");
            case 3 -> throw new IllegalStateException("as if");
            case 4 -> throw new NotYet("told before");
            default -> {
                done.countDown();
                yield Optional.empty();
            }
        })) {
            queue.add("a");
            done.await();
        }
        assertThat(count("conflict")).isEqualTo(2);
        assertThat(count("failed")).isEqualTo(2);
        assertThat(count("done")).isEqualTo(1);
    }

    @Test
    void whatIsToBeLookedAtAgainIs() throws InterruptedException {
        CountDownLatch looks = new CountDownLatch(3);
        try (ReconcileLoop<String> _ = loop(1, _ -> {
            looks.countDown();
            return Optional.of(Duration.ofMillis(1));
        })) {
            queue.add("a");
            looks.await();
        }
    }

    /** Kubelet asks for this, and starts a controller that is stuck anew. */
    @Test
    void oneThatIsStuckSaysSo() throws Exception {
        CyclicBarrier inside = new CyclicBarrier(2);
        CountDownLatch stuck = new CountDownLatch(1);
        try (ReconcileLoop<String> loop = loop(1, _ -> {
            await(inside);
            await(stuck);
            return Optional.empty();
        })) {
            queue.add("a");
            inside.await();
            time.addAndGet(Duration.ofMinutes(4).toNanos());
            assertThat(loop.trouble()).isEmpty();
            time.addAndGet(Duration.ofMinutes(2).toNanos());
            assertThat(loop.trouble().orElseThrow()).contains("has been waiting to be reconciled for");
            stuck.countDown();
        }
    }

    /** The queue grows, though its threads do something. */
    @Test
    void whatWaitsTooLongIsTroubleToo() throws Exception {
        CyclicBarrier inside = new CyclicBarrier(2);
        CountDownLatch end = new CountDownLatch(1);
        try (ReconcileLoop<String> loop = loop(1, name -> {
            if (name.equals("slow")) {
                await(inside);
                await(end);
            }
            return Optional.empty();
        })) {
            queue.add("slow");
            inside.await();
            queue.add("waits");
            assertThat(loop.trouble()).isEmpty();
            time.addAndGet(Duration.ofMinutes(6).toNanos());
            assertThat(loop.trouble()).isPresent();
            end.countDown();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            boolean _ = latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
