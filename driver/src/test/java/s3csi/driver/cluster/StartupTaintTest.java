package s3csi.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.Eventually;
import s3csi.driver.cluster.FakeApiServer.Request;
import s3csi.driver.cluster.WatchedList.Pace;
import s3csi.volume.json.JsonObject;

class StartupTaintTest {
    private static final String NODES = "/api/v1/nodes";
    private static final String CSI_NODES = "/apis/storage.k8s.io/v1/csinodes";
    private static final Pace QUICK = new Pace(Duration.ofSeconds(20), Duration.ofMillis(4), Duration.ofMillis(30));
    private static final String OURS = "{\"key\":\"s3.csi.scality.com/agent-not-ready\",\"effect\":\"NoExecute\"}";

    private final FakeApiServer server;
    private @Nullable StartupTaint taint;

    StartupTaintTest(@TempDir Path scratch) throws IOException {
        server = new FakeApiServer(scratch);
    }

    @AfterEach
    void close() {
        if (taint != null) {
            taint.close();
        }
        server.close();
    }

    private StartupTaint watch() {
        StartupTaint begun = new StartupTaint(server.client(), "node-1", QUICK);
        taint = begun;
        Eventually.until("both are watched", () -> server.openWatches() == 2);
        return begun;
    }

    /** A node with these taints, and with every kind of value beside them. */
    private void taint(String... taints) {
        server.put(NODES, """
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"node-1","labels":{"a":"ä\\n\\"<"},"generation":3,"x":null},\
                "spec":{"podCIDR":"10.0.0.0/24","unschedulable":true,"taints":[%s]},\
                "status":{"capacity":{"cpu":"4"},"ratio":1.50e1,"images":[]}}""".formatted(String.join(",", taints)));
    }

    private void register(String... drivers) {
        String listed = List.of(drivers).stream()
                .map(driver -> "{\"name\":\"" + driver + "\"}")
                .toList()
                .toString();
        server.put(CSI_NODES, "{\"metadata\":{\"name\":\"node-1\"},\"spec\":{\"drivers\":" + listed + "}}");
    }

    private List<Request> puts() {
        return server.requests.stream()
                .filter(request -> request.method().equals("PUT"))
                .toList();
    }

    private JsonObject node() {
        return server.object(NODES, "node-1").orElseThrow();
    }

    private void awaitRemoval() {
        Eventually.until("the taint is gone", () -> !node().toString().contains("agent-not-ready"));
    }

    @Test
    void onlyItsOwnTaintGoesAndNothingElseOfTheNodeChanges() {
        String other = "{\"key\":\"other\",\"value\":\"1\",\"effect\":\"NoSchedule\"}";
        taint(other, OURS, "{\"key\":\"s3.csi.scality.com/another\"}");
        String before = node().toString();
        register("ebs", "s3.csi.scality.com");
        watch();
        awaitRemoval();
        assertThat(puts()).hasSize(1);
        assertThat(puts().getFirst().path()).isEqualTo(NODES + "/node-1");
        assertThat(puts().getFirst().body()).isEqualTo(before.replace("," + OURS, ""));
    }

    @Test
    void itStaysUntilKubeletKnowsTheDriver() {
        taint(OURS);
        register("ebs");
        server.put(
                CSI_NODES,
                "{\"metadata\":{\"name\":\"node-2\"},\"spec\":{\"drivers\":[{\"name\":\"s3.csi.scality.com\"}]}}");
        watch();
        assertThat(puts()).isEmpty();
        register("ebs", "s3.csi.scality.com");
        awaitRemoval();
        assertThat(puts()).hasSize(1);
    }

    @Test
    void aNodeThatOthersChangedMeanwhileIsReadAnew() {
        taint(OURS);
        server.interception = (request, _) -> {
            if (request.method().equals("PUT") && server.count("PUT") <= 3) {
                taint(OURS, "{\"key\":\"other-" + server.count("PUT") + "\"}");
            }
            return false;
        };
        register("s3.csi.scality.com");
        watch();
        awaitRemoval();
        assertThat(puts()).hasSize(4);
        assertThat(node().objects("spec", "taints"))
                .extracting(found -> found.text("key"))
                .containsExactly("other-3");
    }

    @Test
    void oneThatComesBackIsRemovedAgain() {
        taint(OURS);
        register("s3.csi.scality.com");
        watch();
        awaitRemoval();
        taint(OURS);
        awaitRemoval();
        assertThat(puts()).hasSize(2);
    }

    @Test
    void whatIsRefusedIsTriedAgainWithPausesThatGrow() {
        taint(OURS);
        register("s3.csi.scality.com");
        server.interception = (request, exchange) ->
                request.method().equals("PUT") && FakeApiServer.refuse(exchange, 403, "no rights");
        long begin = System.nanoTime();
        watch();
        Eventually.until("it was tried again and again", () -> puts().size() >= 5);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(4 + 8 + 16));
        server.interception = (_, _) -> false;
        awaitRemoval();
    }

    @Test
    void aNodeWithoutTheTaintIsLeftAlone() {
        taint("{\"key\":\"other\"}");
        register("s3.csi.scality.com");
        watch();
        register("s3.csi.scality.com", "ebs");
        taint();
        server.bookmark(NODES);
        assertThat(puts()).isEmpty();
    }

    @Test
    void closingEndsBothWatches() {
        watch().close();
        Eventually.until("no watch is open", () -> {
            server.bookmark(NODES);
            server.bookmark(CSI_NODES);
            return server.openWatches() == 0;
        });
    }
}
