package s3csi.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.driver.Eventually;
import s3csi.driver.cluster.FakeApiServer.Request;
import s3csi.driver.cluster.WatchedList.Pace;
import s3csi.volume.json.JsonObject;

class WatchedListTest {
    private static final String THINGS = "/api/v1/things";
    private static final Pace QUICK = new Pace(Duration.ofSeconds(20), Duration.ofMillis(4), Duration.ofMillis(30));

    private final FakeApiServer server;
    private final Changes changes = new Changes();
    private WatchedList<String> list;

    WatchedListTest(@TempDir Path scratch) throws IOException {
        server = new FakeApiServer(scratch);
        put("a", "1");
        list = watching(QUICK);
    }

    private WatchedList<String> watching(Pace pace) {
        return new WatchedList<>(
                server.client(), THINGS, "spec.nodeName=node 1", WatchedListTest::valueOf, changes, pace);
    }

    @BeforeEach
    void watchIsOpen() {
        Eventually.until("the list is watched", () -> list.trouble().isEmpty() && server.openWatches() > 0);
    }

    @AfterEach
    void close() {
        list.close();
        server.close();
    }

    /** Begins anew, with what the server has and with another pace. */
    private void restart(Pace pace) {
        list.close();
        goneWatches();
        server.requests.clear();
        list = watching(pace);
        Eventually.until("it is watched", () -> list.trouble().isEmpty() && server.openWatches() > 0);
    }

    /** What is closed here is seen there as soon as it sends something. */
    private void goneWatches() {
        Eventually.until("no watch is open", () -> {
            server.bookmark(THINGS);
            return server.openWatches() == 0;
        });
    }

    private static Optional<String> valueOf(JsonObject object) {
        String value = object.text("spec", "value");
        if (value.equals("poison")) {
            throw new IllegalStateException("a defect");
        }
        return value.equals("of no interest") ? Optional.empty() : Optional.of(value);
    }

    private void put(String name, String value) {
        server.put(THINGS, "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"value\":\"" + value + "\"}}");
    }

    private void awaitKnown(String... values) {
        Eventually.until(
                "known is " + List.of(values),
                () -> list.all().size() == values.length && list.all().containsAll(List.of(values)));
    }

    private void awaitWatches(int count) {
        Eventually.until(count + " watches", () -> server.watched().size() >= count);
    }

    @Test
    void theListIsReadAndWatchedFromItsVersionOn() {
        assertThat(list.all()).containsExactly("1");
        assertThat(list.named("a")).contains("1");
        assertThat(list.named("b")).isEmpty();
        assertThat(server.requests)
                .extracting(Request::query)
                .containsExactly(
                        Map.of("fieldSelector", "spec.nodeName=node 1", "limit", "10"),
                        Map.of(
                                "fieldSelector", "spec.nodeName=node 1",
                                "watch", "1",
                                "allowWatchBookmarks", "true",
                                "timeoutSeconds", "240",
                                "resourceVersion", "101"));
    }

    @Test
    void whatComesChangesAndGoesIsKnown() {
        put("b", "2");
        awaitKnown("1", "2");
        put("a", "3");
        awaitKnown("3", "2");
        put("a", "of no interest");
        awaitKnown("2");
        server.remove(THINGS, "b");
        awaitKnown();
        assertThat(server.listed()).hasSize(1);
    }

    @Test
    void onlyWhatIsDifferentIsAChange() {
        // That the watch has begun is a change, too; this one comes after it.
        put("c", "0");
        awaitKnown("1", "0");
        long known = changes.count();
        put("a", "1");
        put("other", "of no interest");
        server.bookmark(THINGS);
        put("b", "2");
        awaitKnown("1", "0", "2");
        assertThat(changes.count()).isEqualTo(known + 1);
    }

    @Test
    void aWatchThatEndsIsFollowedByOneFromTheLastVersion() {
        server.bookmark(THINGS);
        server.endWatches();
        awaitWatches(2);
        put("b", "2");
        awaitKnown("1", "2");
        server.endWatches();
        awaitWatches(3);
        assertThat(server.watched())
                .extracting(request -> request.query().get("resourceVersion"))
                .containsExactly("101", "102", "103");
        assertThat(server.listed()).hasSize(1);
        assertThat(list.trouble()).isEmpty();
    }

    @Test
    void aVersionThatIsTooOldMeansTheListAnew() {
        server.interception = (request, exchange) -> {
            server.interception = (_, _) -> false;
            put("b", "2");
            return FakeApiServer.refuse(exchange, 410, "too old resource version");
        };
        server.endWatches();
        awaitKnown("1", "2");
        awaitWatches(3);
        assertThat(server.listed()).hasSize(2);
        assertThat(server.watched().getLast().query()).containsEntry("resourceVersion", "102");
        assertThat(list.trouble()).isEmpty();
    }

    /** Where the server has forgotten the state that the first page was of, all of them are read anew. */
    @Test
    void aListIsReadPageByPageAndAnewWhereAPageExpires() {
        AtomicInteger expired = new AtomicInteger(2);
        server.interception = (request, exchange) -> {
            if (!request.isList()) {
                return false;
            }
            if (request.query().getOrDefault("continue", "").isEmpty()) {
                return FakeApiServer.reply(exchange, 200, page("p", "1", "more & more"));
            }
            return expired.getAndDecrement() > 0
                    ? FakeApiServer.refuse(exchange, 410, "the continue parameter is too old")
                    : FakeApiServer.reply(exchange, 200, page("q", "2", ""));
        };
        restart(QUICK);
        awaitKnown("1", "2");
        assertThat(server.listed())
                .extracting(request -> request.query().getOrDefault("continue", ""))
                .containsExactly("", "more & more", "", "more & more", "", "more & more");
    }

    private static String page(String name, String value, String next) {
        return "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"" + next + "\"},\"items\":["
                + "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"value\":\"" + value + "\"}}]}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"410", "500", "null"})
    void anErrorInsideAWatchMeansTheListAnew(String code) {
        server.sendLine("{\"type\":\"ERROR\",\"object\":{\"message\":\"too\\nold\",\"code\":" + code + "}}");
        awaitWatches(2);
        assertThat(server.listed()).hasSize(2);
        watchIsOpen();
        put("b", "2");
        awaitKnown("1", "2");
    }

    @Test
    void aServerThatCannotSelectSendsEverything() {
        server.interception = (request, exchange) -> request.query().containsKey("fieldSelector")
                && FakeApiServer.refuse(exchange, 400, "field label not supported: spec.nodeName");
        restart(QUICK);
        assertThat(list.all()).containsExactly("1");
        assertThat(server.requests)
                .extracting(request -> request.query().containsKey("fieldSelector"))
                .containsExactly(true, false, false);
    }

    @Test
    void aWatchThatStaysSilentIsGivenUpAndGoneOnWith() {
        restart(new Pace(Duration.ofMillis(60), Duration.ofMillis(4), Duration.ofMillis(30)));
        String version = server.watched().getLast().query().getOrDefault("resourceVersion", "");
        awaitWatches(2);
        assertThat(server.watched().get(1).query()).containsEntry("resourceVersion", version);
        assertThat(server.listed()).hasSize(1);
        put("b", "2");
        awaitKnown("1", "2");
    }

    @Test
    void aCutInTheMiddleOfAnEventLosesNothing() {
        server.cutWatches();
        put("b", "2");
        awaitKnown("1", "2");
        assertThat(server.listed()).hasSize(1);
        watchIsOpen();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 429, 500, 503})
    void aRefusedListIsToldAndWhatWasKnownStaysKnown(int code) {
        server.interception = (request, exchange) -> request.isWatch()
                ? FakeApiServer.refuse(exchange, 410, "too old")
                : FakeApiServer.refuse(exchange, code, "no,\nnot\tnow" + "w".repeat(10_000));
        server.endWatches();
        Eventually.until("trouble is told", () -> list.trouble().isPresent());
        assertThat(list.trouble().orElseThrow())
                .contains("answered " + code + ": no, not now")
                .doesNotContain("\n")
                .hasSizeLessThan(700);
        assertThat(list.all()).containsExactly("1");
        long known = changes.count();
        server.interception = (_, _) -> false;
        watchIsOpen();
        assertThat(changes.count()).isGreaterThan(known);
    }

    @Test
    void aServerThatIsAwayIsToldUntilItIsBack() {
        server.interception = (_, _) -> {
            throw new IOException("the connection ends");
        };
        server.cutWatches();
        Eventually.until("trouble is told", () -> list.trouble().isPresent());
        assertThat(list.trouble().orElseThrow()).contains("cannot be reached");
        put("b", "2");
        assertThat(list.all()).containsExactly("1");
        server.interception = (_, _) -> false;
        awaitKnown("1", "2");
        assertThat(server.listed()).hasSize(1);
        watchIsOpen();
    }

    /** Or whoever asks in between would take what is old for current, and the log would fill. */
    @Test
    void troubleStaysAsLongAsNoWatchBegins() {
        server.interception =
                (request, exchange) -> request.isWatch() && FakeApiServer.refuse(exchange, 403, "cannot watch");
        server.endWatches();
        Eventually.until("trouble is told", () -> list.trouble().isPresent());
        List<Boolean> told = new CopyOnWriteArrayList<>();
        server.interception = (request, exchange) -> {
            told.add(list.trouble().isPresent());
            return request.isWatch() && FakeApiServer.refuse(exchange, 403, "cannot watch");
        };
        Eventually.until("it was tried again and again", () -> told.size() > 6);
        assertThat(told).containsOnly(true);
        assertThat(list.trouble().orElseThrow()).contains("cannot watch");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "<html>sign in</html>", "{\"kind\":\"List\",\"items\":[]}"})
    void anAnswerThatIsNoListDoesNotMeanThatThereIsNothing(String answer) {
        server.interception = (request, exchange) -> request.isWatch()
                ? FakeApiServer.refuse(exchange, 410, "too old")
                : FakeApiServer.reply(exchange, 200, answer);
        server.endWatches();
        Eventually.until("trouble is told", () -> list.trouble().isPresent());
        assertThat(list.trouble().orElseThrow()).contains("something else than");
        assertThat(list.all()).containsExactly("1");
    }

    @Test
    void aDefectOfTheReaderIsToldAndDoesNotEndTheWatching() {
        put("b", "poison");
        Eventually.until("trouble is told", () -> list.trouble().isPresent());
        assertThat(list.trouble().orElseThrow()).contains("not understood").contains("a defect");
        assertThat(list.all()).containsExactly("1");
        put("b", "2");
        awaitKnown("1", "2");
        watchIsOpen();
    }

    @Test
    void aServerThatEndsEveryWatchAtOnceIsAskedWithPauses() {
        assertPauses((request, exchange) -> request.isWatch() && FakeApiServer.reply(exchange, 200, " "));
        assertThat(server.listed()).isEmpty();
    }

    @Test
    void aServerForWhichEveryVersionIsTooOldIsAskedWithPauses() {
        assertPauses((request, exchange) -> request.isWatch() && FakeApiServer.refuse(exchange, 410, "too old"));
    }

    private void assertPauses(FakeApiServer.Interception interception) {
        Duration pause = Duration.ofMillis(40);
        restart(new Pace(Duration.ofSeconds(20), pause, pause));
        server.requests.clear();
        server.interception = interception;
        long begin = System.nanoTime();
        server.endWatches();
        awaitWatches(5);
        // Each is at least half as long as said, and there is one before each of the watches.
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isGreaterThan(pause.multipliedBy(4).dividedBy(2));
    }

    @Test
    void theTokenIsReadForEveryRequest() throws IOException {
        server.setToken("token-2");
        server.endWatches();
        awaitWatches(2);
        assertThat(server.requests)
                .extracting(Request::authorization)
                .containsExactly("Bearer token-1", "Bearer token-1", "Bearer token-2");
    }

    @Test
    void closingEndsAWatchThatIsSilent() {
        list.close();
        goneWatches();
        server.requests.clear();
        put("b", "2");
        assertThat(list.all()).containsExactly("1");
        assertThat(server.requests).isEmpty();
    }

    @Test
    void closingEndsARequestThatIsNotAnswered() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        server.interception = (_, exchange) -> {
            entered.countDown();
            try {
                closed.await();
                exchange.sendResponseHeaders(200, 0);
                while (true) {
                    exchange.getResponseBody().write(new byte[1 << 16]);
                }
            } catch (IOException e) {
                failed.countDown();
                throw e;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        server.endWatches();
        Eventually.until("the next watch is asked for", () -> entered.getCount() == 0);
        list.close();
        closed.countDown();
        Eventually.until("its connection is closed", () -> failed.getCount() == 0);
    }
}
