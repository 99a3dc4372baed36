package s3csi.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.Eventually;
import s3csi.volume.PodReference;
import s3csi.volume.json.JsonObject;

@Timeout(20)
class WorkloadEventsTest {
    private static final PodReference POD = new PodReference("apps", "web-0", "uid-1");
    private static final String REASON = "MountOptionIgnored";

    private final FakeApiServer server;
    private final WorkloadEvents events;

    WorkloadEventsTest(@TempDir Path scratch) throws IOException {
        server = new FakeApiServer(scratch);
        events = new WorkloadEvents(
                server.client(), "node-1", Clock.fixed(Instant.parse("2026-01-02T03:04:05.678Z"), ZoneOffset.UTC));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void awaitEvents(int count) {
        Eventually.until(count + " events", () -> server.count("POST") >= count);
    }

    @Test
    void anEventIsAboutThePodAndSaysWhoSaysItWhereAndWhen() {
        events.warn(POD, REASON, "mount option --profile is ignored");
        awaitEvents(1);
        assertThat(server.requests.getFirst().path()).isEqualTo("/api/v1/namespaces/apps/events");
        assertThat(JsonObject.parse(server.requests.getFirst().body())).isEqualTo(JsonObject.parse("""
                        {"apiVersion":"v1","kind":"Event",
                         "metadata":{"generateName":"web-0.","namespace":"apps"},
                         "involvedObject":{"apiVersion":"v1","kind":"Pod","namespace":"apps","name":"web-0","uid":"uid-1"},
                         "type":"Warning","reason":"MountOptionIgnored","message":"mount option --profile is ignored",
                         "source":{"component":"s3.csi.scality.com","host":"node-1"},
                         "reportingComponent":"s3.csi.scality.com","reportingInstance":"node-1",
                         "firstTimestamp":"2026-01-02T03:04:05Z","lastTimestamp":"2026-01-02T03:04:05Z","count":1}"""));
    }

    @Test
    void eachIsToldOnceForEachPod() {
        PodReference other = new PodReference("apps", "web-1", "uid-2");
        for (int i = 0; i < 3; i++) {
            events.warn(POD, REASON, List.of("one", "two"));
            events.warn(other, REASON, "one");
        }
        events.warn(POD, "Another", "one");
        awaitEvents(4);
        assertThat(server.requests)
                .extracting(request -> JsonObject.parse(request.body()))
                .extracting(event -> event.text("involvedObject", "uid") + event.text("reason") + event.text("message"))
                .containsExactlyInAnyOrder(
                        "uid-1" + REASON + "one",
                        "uid-1" + REASON + "two",
                        "uid-2" + REASON + "one",
                        "uid-1Anotherone");
    }

    @Test
    void longTextsAreCut() {
        events.warn(new PodReference("apps", "n".repeat(253), "uid-1"), REASON, "m".repeat(5000));
        awaitEvents(1);
        JsonObject event = JsonObject.parse(server.requests.getFirst().body());
        assertThat(event.text("message")).hasSize(1000);
        assertThat(event.text("metadata", "generateName")).hasSize(201).endsWith(".");
    }

    @Test
    void nobodyWaitsForTheServer() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        server.interception = (_, _) -> {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return false;
        };
        events.warn(POD, REASON, "one");
        asked.await();
        events.warn(POD, REASON, "two");
        answer.countDown();
        awaitEvents(2);
    }

    @Test
    void oneThatIsRefusedIsNotToldAgainAndHoldsNoOtherUp() {
        server.interception = (_, exchange) -> FakeApiServer.refuse(exchange, 403, "no rights");
        events.warn(POD, REASON, "one");
        events.warn(new PodReference("no name/space", "x", "uid-3"), REASON, "one");
        awaitEvents(2);
        events.warn(POD, REASON, "one");
        events.warn(POD, REASON, "two");
        awaitEvents(3);
        assertThat(server.requests)
                .extracting(request -> request.body().contains("\"two\""))
                .containsOnlyOnce(true);
    }
}
