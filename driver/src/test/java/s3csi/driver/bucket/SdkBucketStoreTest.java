package s3csi.driver.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.driver.bucket.BucketStore.Creation;
import s3csi.driver.bucket.BucketStore.Sight;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.BucketName;
import s3csi.volume.CauseFaces;
import s3csi.volume.Region;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;

/** What a store's answers are taken for. Whole conversations with real stores are tested elsewhere. */
class SdkBucketStoreTest {
    private static final BucketName BUCKET = new BucketName("some-bucket");
    private static final Account ACCOUNT = new Account(
            new StoreKeys("id", "canary-secret", Optional.empty()), AuthenticationSource.SECRET, new Region("here-1"));

    private record Seen(String method, String uri, String authorization, String body) {}

    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int status = 200;
    private volatile String body = "";
    /** What is answered to a request for the next page; empty for the same as ever. */
    private volatile String secondPage = "";

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                String authorization =
                        String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
                seen.add(new Seen(
                        exchange.getRequestMethod(), exchange.getRequestURI().toString(), authorization, sent));
                boolean served = authorization.contains("/there-2/");
                boolean isNext = !secondPage.isEmpty()
                        && exchange.getRequestURI().toString().contains("continuation-token=more");
                byte[] answer = (served ? "" : isNext ? secondPage : body).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(served ? 200 : status, answer.length == 0 ? -1 : answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private BucketStore store() {
        return store(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    }

    private static BucketStore store(URI endpoint) {
        return new RegionalClients(new S3Endpoint(endpoint, Optional.empty()))
                .of(ACCOUNT, new BucketMetrics(new PrometheusRegistry()));
    }

    private static String error(String code) {
        return "<Error><Code>" + code + "</Code><Message>so it is</Message></Error>";
    }

    private String causeOfDelete(BucketStore store) {
        VolumeFailure failure = catchThrowableOfType(VolumeFailure.class, () -> store.delete(BUCKET));
        assertThat(failure).hasMessageNotContaining("canary").hasMessageContaining("delete bucket some-bucket");
        return CauseFaces.word(failure.reason());
    }

    @ParameterizedTest
    @CsvSource({
        "403, InvalidAccessKeyId, wrong-keys",
        "403, SignatureDoesNotMatch, wrong-keys",
        "400, ExpiredToken, wrong-keys",
        "403, InvalidTokenId, wrong-keys",
        "403, AccessDenied, access-denied",
        "403, SomethingNew, access-denied",
        "401, Unauthorized, access-denied",
        "403, RequestTimeTooSkewed, clock-skew",
        "400, TooManyBuckets, quota-reached",
        "301, PermanentRedirect, wrong-region",
        "400, AuthorizationHeaderMalformed, wrong-region",
        "503, SlowDown, store-busy",
        "500, InternalError, store-busy",
        "502, '', store-busy",
        "504, '', store-busy",
        "429, TooManyRequests, store-busy",
        "409, OperationAborted, store-busy",
        "400, MalformedXML, store-refused",
        "418, Teapot, store-refused"
    })
    void aRefusalBecomesAnHonestCause(int answer, String code, String cause) {
        status = answer;
        body = code.isEmpty() ? "" : error(code);
        assertThat(causeOfDelete(store())).isEqualTo(cause);
    }

    @Test
    void troubleThatMayPassIsTriedAgainAFewTimes() {
        status = 503;
        body = error("SlowDown");
        causeOfDelete(store());
        assertThat(seen).hasSize(3);
    }

    @Test
    void aRefusalIsNotTriedAgain() {
        status = 403;
        body = error("AccessDenied");
        causeOfDelete(store());
        assertThat(seen).hasSize(1);
    }

    @Test
    void nobodyListeningIsUnreachable() throws IOException {
        // Taken and not listened at, so that nobody else can have it meanwhile.
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            BucketStore store = store(URI.create("http://127.0.0.1:" + taken.getLocalPort()));
            VolumeFailure failure = catchThrowableOfType(VolumeFailure.class, () -> store.delete(BUCKET));
            assertThat(failure)
                    .hasMessageContaining("the connection was refused")
                    .hasMessageContaining(":" + taken.getLocalPort());
        }
    }

    @Test
    void anUnknownNameIsUnreachable() {
        BucketStore store = store(URI.create("http://store.invalid"));
        VolumeFailure failure = catchThrowableOfType(VolumeFailure.class, () -> store.delete(BUCKET));
        assertThat(failure).hasMessageContaining("the name cannot be resolved");
    }

    @Test
    void aStoreWithoutTagsIsAskedWhetherTheBucketIsThere() {
        status = 501;
        body = error("NotImplemented");
        VolumeFailure failure = catchThrowableOfType(VolumeFailure.class, () -> store().look(BUCKET));
        assertThat(failure.reason()).extracting(CauseFaces::word).isEqualTo("store-refused");
        assertThat(seen)
                .extracting(Seen::uri)
                .containsExactly("/some-bucket?tagging", "/some-bucket?list-type=2&max-keys=1");
    }

    @Test
    void aBucketNobodyMayLookAtIsHidden() {
        status = 403;
        body = error("AccessDenied");
        assertThat(store().look(BUCKET)).isEqualTo(new Sight.Hidden());
    }

    @Test
    void aNameThatIsTakenIsOursOnlyIfItIsListed() {
        status = 409;
        body = error("BucketAlreadyExists");
        assertThat(store().create(BUCKET, Optional.empty())).isEqualTo(Creation.TAKEN);
        body = error("BucketAlreadyOwnedByYou");
        assertThat(store().create(BUCKET, Optional.empty())).isEqualTo(Creation.ALREADY_OURS);

        status = 200;
        body = listing("some-bucket-2", "some-bucket");
        assertThat(store().owns(BUCKET)).isTrue();
        body = listing("some-bucket-2");
        assertThat(store().owns(BUCKET)).isFalse();
        status = 403;
        body = error("AccessDenied");
        assertThat(store().owns(BUCKET)).isFalse();
    }

    @Test
    void aNameMayBeListedOnTheSecondPage() {
        body = listing("some-bucket-2").replace("</Buckets>", "</Buckets><ContinuationToken>more</ContinuationToken>");
        secondPage = listing("some-bucket");
        assertThat(store().owns(BUCKET)).isTrue();
        secondPage = listing("some-bucket-3");
        assertThat(store().owns(BUCKET)).isFalse();
    }

    private static String listing(String... buckets) {
        return "<ListAllMyBucketsResult><Buckets><Bucket><Name>"
                + String.join("</Name></Bucket><Bucket><Name>", buckets)
                + "</Name></Bucket></Buckets></ListAllMyBucketsResult>";
    }

    @ParameterizedTest
    @CsvSource({"404, NoSuchTagSet, true", "403, AccessDenied, false", "501, NotImplemented, false"})
    void tagsThatCannotBeReadAreNoneAtAll(int answer, String code, boolean known) {
        status = answer;
        body = error(code);
        assertThat(store().tags(BUCKET)).isEqualTo(known ? Optional.of(Map.of()) : Optional.empty());
    }

    @Test
    void aBucketThatVanishesAfterItWasMadeIsTheStoresTrouble() {
        status = 404;
        body = error("NoSuchBucket");
        VolumeFailure failure = catchThrowableOfType(VolumeFailure.class, () -> store().tags(BUCKET));
        assertThat(failure.reason()).extracting(CauseFaces::word).isEqualTo("store-busy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'", "\""})
    void theRegionTheStoreNamesIsUsedOnce(String quote) {
        status = 400;
        body = "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region is wrong; expecting " + quote
                + "there-2" + quote + "</Message></Error>";
        assertThat(store().create(BUCKET, Optional.empty())).isEqualTo(Creation.MADE);
        assertThat(seen)
                .extracting(Seen::authorization)
                .satisfiesExactly(
                        first -> assertThat(first).contains("/here-1/s3/"),
                        second -> assertThat(second).contains("/there-2/s3/"));
    }

    @Test
    void aRegionThatCannotBeOneIsNotFollowed() {
        status = 400;
        body = "<Error><Code>AuthorizationHeaderMalformed</Code><Message>expecting '../'</Message></Error>";
        assertThat(causeOfDelete(store())).isEqualTo("wrong-region");
        assertThat(seen).hasSize(1);
    }

    @Test
    void onlyALocationThatWasAskedForIsSent() {
        store().create(BUCKET, Optional.empty());
        store().create(BUCKET, Optional.of(Region.DEFAULT));
        store().create(BUCKET, Optional.of(new Region("eu-1")));
        assertThat(seen)
                .extracting(Seen::body)
                .satisfiesExactly(
                        none -> assertThat(none).isEmpty(),
                        none -> assertThat(none).isEmpty(),
                        asked -> assertThat(asked).contains("<LocationConstraint>eu-1</LocationConstraint>"));
    }

    @Test
    void bucketsAreNamedInThePath() {
        store().create(BUCKET, Optional.empty());
        assertThat(seen).extracting(Seen::uri).containsExactly("/some-bucket");
    }
}
