package s3csi.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.kubernetes.Cluster;

/** A lease whose renewal takes long: another may count from when it was asked for. */
class LeadershipTest {
    private static final Duration LONG = Duration.ofSeconds(11);

    @TempDir
    private Path directory;

    private final AtomicLong time = new AtomicLong();
    private final AtomicReference<byte @Nullable []> lease = new AtomicReference<>();
    private final BlockingQueue<String> writes = new LinkedBlockingQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);

    /** The request that takes long; the next write is never answered. */
    private volatile String slow = "";

    /** How many renewals are answered before one that is not; those after it are answered again. */
    private final AtomicInteger untilSilence = new AtomicInteger(Integer.MAX_VALUE);

    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void serve() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
        client = Cluster.of(Files.writeString(directory.resolve("kubeconfig"), """
                        apiVersion: v1
                        kind: Config
                        current-context: test
                        contexts: [{name: test, context: {cluster: test, user: test}}]
                        clusters: [{name: test, cluster: {server: "http://127.0.0.1:%d"}}]
                        users: [{name: test, user: {token: secret}}]
                        """.formatted(
                                server.getAddress().getPort())))
                .connect("test", "1");
    }

    @AfterEach
    void stop() {
        end.countDown();
        client.close();
        server.stop(0);
    }

    /** As much of an API server as keeps one lease. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                write(exchange);
            }
            byte[] known = lease.get();
            byte[] body = known == null ? new byte[0] : known;
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(known == null ? 404 : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void write(HttpExchange exchange) throws IOException {
        byte[] written = exchange.getRequestBody().readAllBytes();
        boolean isAfterSlow = slow.isEmpty();
        writes.add(exchange.getRequestMethod());
        if (untilSilence.get() < Integer.MAX_VALUE) {
            if (untilSilence.getAndDecrement() == 0) {
                await(end);
            }
        } else if (isAfterSlow) {
            await(end);
        } else if (exchange.getRequestMethod().equals(slow)) {
            time.addAndGet(LONG.toNanos());
            slow = "";
        }
        lease.set(written);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Leadership candidate(Runnable began) {
        return new Leadership(client, time::get, "kube-system", "lease", "alone", began, () -> {});
    }

    private void awaitWrite(String method) throws InterruptedException {
        assertThat(writes.poll(60, TimeUnit.SECONDS)).isEqualTo(method);
    }

    @Test
    void theIdentityNamesThePodAndIsItsOwn() {
        Map<String, String> environment = Map.of("HOSTNAME", "s3-csi-controller-5d9f");
        assertThat(Leadership.identity(environment))
                .startsWith("s3-csi-controller-5d9f_")
                .isNotEqualTo(Leadership.identity(environment));
        assertThat(Leadership.identity(Map.of())).startsWith("controller_");
    }

    @Test
    void oneThatGotItsLeaseLateIsNotSureOfIt() throws Exception {
        slow = "POST";
        CountDownLatch begun = new CountDownLatch(1);
        try (Leadership alone = candidate(begun::countDown)) {
            alone.start();
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(alone.isLeading()).isFalse();
            end.countDown();
        }
    }

    @Test
    void oneWhoseRenewalWasAnsweredLateIsNotSureOfItUntilTheNext() throws Exception {
        slow = "PATCH";
        try (Leadership alone = candidate(() -> {})) {
            alone.start();
            awaitWrite("POST");
            awaitWrite("PATCH");
            // The answer to the one before has been read when the next one comes.
            awaitWrite("PATCH");
            assertThat(alone.isLeading()).isFalse();
            end.countDown();
        }
    }

    /** The connection of a renewal may have died without a word. */
    @Test
    void oneWhoseRenewalIsNotAnsweredRenewsByAnotherRequestBeforeItsLeaseEnds() throws Exception {
        untilSilence.set(2);
        CountDownLatch lost = new CountDownLatch(1);
        try (Leadership alone =
                new Leadership(client, time::get, "kube-system", "lease", "alone", () -> {}, lost::countDown)) {
            alone.start();
            awaitWrite("POST");
            awaitWrite("PATCH");
            long since = System.nanoTime();
            // This one is not answered.
            awaitWrite("PATCH");
            awaitWrite("PATCH");
            assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(10));
            awaitWrite("PATCH");
            assertThat(lost.getCount()).isOne();
            assertThat(alone.isLeading()).isTrue();
        }
    }
}
