package s3csi.s3.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.ListRequest;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.credentials.CredentialsOptions;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ScriptedServer;

/** Clock, keys and region: what can be repaired is, once, and what cannot is said in plain words. */
class RepairFaultTest extends FaultFixture {
    private static final String NO_ENTRIES = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";

    @ParameterizedTest
    @CsvSource({
        "'Sun, 15 Nov 2026 10:20:00 GMT', 20261115T102000Z, 1200",
        "'Sun, 15 Nov 2026 09:40:00 GMT', 20261115T094000Z, -1200"
    })
    void aWrongClockIsCorrectedByTheStoresOwn(String date, String signed, long offset) throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.header("x-amz-date").equals(signed)) {
                reply.answer(200, "", NO_ENTRIES);
            } else {
                reply.answer(403, "date: " + date + "\r\n", "<Error><Code>RequestTimeTooSkewed</Code></Error>");
            }
        });

        store.list(ListRequest.directory(""));
        store.list(ListRequest.directory(""));

        assertThat(server().requests()).hasSize(3);
        assertThat(store.clockOffset()).isEqualTo(Duration.ofSeconds(offset));
        assertThat(waits).isEmpty();
    }

    @Test
    void aHeadThatIsRefusedWithoutAWordMayBeAMatterOfTheClock() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.send("HTTP/1.1 403 X\r\ndate: Sun, 15 Nov 2026 10:20:00 GMT\r\ncontent-length: 300\r\n\r\n");
            } else {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 7\r\netag: \"e\"\r\n\r\n");
            }
        });

        assertThat(store.head("key").size()).isEqualTo(7);
    }

    /** The HEAD is signed before, and answered after, another request has learnt the store's time. */
    @Test
    void aHeadIsRefusedForTheClockItWasSignedWith() throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch isCorrected = new CountDownLatch(1);
        String date = "date: Sun, 15 Nov 2026 10:20:00 GMT\r\n";
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.header("x-amz-date").equals("20261115T102000Z")) {
                reply.send("HTTP/1.1 200 X\r\netag: \"e\"\r\ncontent-length: "
                        + (request.method().equals("HEAD")
                                ? "7\r\n\r\n"
                                : NO_ENTRIES.length() + "\r\n\r\n" + NO_ENTRIES));
            } else if (request.method().equals("HEAD")) {
                isAsked.countDown();
                awaitQuietly(isCorrected);
                reply.send("HTTP/1.1 403 X\r\n" + date + "content-length: 300\r\n\r\n");
            } else {
                reply.answer(403, date, "<Error><Code>RequestTimeTooSkewed</Code></Error>");
            }
        });
        FutureTask<Long> head = new FutureTask<>(() -> store.head("key").size());
        Thread.ofVirtual().start(head);
        isAsked.await();
        store.list(ListRequest.directory(""));
        isCorrected.countDown();
        assertThat(head.get()).isEqualTo(7);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aClockThatCannotBeCorrectedIsNamed() {
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(
                403, "date: Sun, 15 Nov 2026 10:20:00 GMT\r\n", "<Error><Code>RequestTimeTooSkewed</Code></Error>"));

        StoreException e = failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.Forbidden.class);

        assertThat(e).hasMessageContaining("synchronise");
        assertThat(server().requests()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "InvalidAccessKeyId",
                "ExpiredToken",
                "InvalidToken",
                "InvalidTokenId",
                "TokenRefreshRequired",
                "SignatureDoesNotMatch"
            })
    void keysThatWereReplacedAreTakenUpAtOnce(String code, @TempDir Path directory) throws Exception {
        Path file = directory.resolve("credentials");
        Files.writeString(file, profile("old"));
        HttpStoreOptions options = withKeysOf(file);
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.header("authorization").contains("Credential=new/")) {
                        reply.answer(200, "", NO_ENTRIES);
                    } else {
                        Files.writeString(file, profile("new"));
                        reply.error(403, code);
                    }
                }),
                options);

        store.list(ListRequest.directory(""));

        assertThat(server().requests()).hasSize(2);
        assertThat(waits).isEmpty();
    }

    @Test
    void keysThatEndDuringAnUploadAreReplacedAndTheBodyIsSentAgain(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("credentials");
        Files.writeString(file, profile("old"));
        HttpStoreOptions options = withKeysOf(file);
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() == 2) {
                        Files.writeString(file, profile("new"));
                        reply.error(400, "ExpiredToken");
                    } else {
                        reply.answer(200, "etag: \"" + ETAG + "\"\r\n", "");
                    }
                }),
                options);
        Upload upload = new Upload("key", "upload", UploadChecksum.CRC32C);
        byte[] bytes = random(100_000);

        store.uploadPart(upload, 1, payload(random(10)));
        store.uploadPart(upload, 2, payload(bytes));

        assertThat(server().requests())
                .extracting(request -> request.header("authorization").replaceAll("(?s).*Credential=([^/]*).*", "$1"))
                .containsExactly("old", "old", "new");
        assertThat(server().requests().getLast().body().getBytes(StandardCharsets.ISO_8859_1))
                .isEqualTo(bytes);
    }

    /** A HEAD has no body: that a session token ended early looks like any other refusal. */
    @ParameterizedTest
    @ValueSource(ints = {400, 403})
    void keysAreRenewedWhenAHeadIsRefusedWithoutAWord(int status) throws Exception {
        List<Credentials> suspected = new CopyOnWriteArrayList<>();
        CredentialsSource source = new CredentialsSource() {
            @Override
            public Credentials current() {
                return new Credentials.Keys(suspected.isEmpty() ? "old" : "new", "secret");
            }

            @Override
            public void suspected(Credentials credentials) {
                suspected.add(credentials);
            }
        };
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.header("authorization").contains("Credential=new/")) {
                        reply.send(String.join(
                                "\r\n",
                                "HTTP/1.1 200 X",
                                "etag: \"abc\"",
                                "last-modified: Sun, 15 Nov 2026 10:00:00 GMT",
                                "content-length: 7",
                                "",
                                ""));
                    } else {
                        reply.send("HTTP/1.1 " + status + " X\r\n\r\n");
                    }
                }),
                options().credentials(source));

        assertThat(store.head("key").size()).isEqualTo(7);

        assertThat(suspected).containsExactly(new Credentials.Keys("old", "secret"));
        assertThat(server().requests()).hasSize(2);
        assertThat(waits).isEmpty();
    }

    private HttpStoreOptions withKeysOf(Path file) {
        Map<String, String> environment = Map.of(
                "AWS_SHARED_CREDENTIALS_FILE",
                file.toString(),
                "HOME",
                requireNonNull(file.getParent()).toString());
        return options()
                .credentials(new CredentialsOptions(
                                environment, false, null, null, null, Trust.platform(), Clock.systemUTC())
                        .source());
    }

    private static String profile(String id) {
        return "[default]\naws_access_key_id = " + id + "\naws_secret_access_key = secret\n";
    }

    @Test
    void keysThatDidNotChangeAreNotTriedTwice() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(403, "InvalidAccessKeyId"));

        StoreException e = failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.Forbidden.class);

        assertThat(e.failure()).isEqualTo(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.UNKNOWN_ACCESS_KEY));
        assertThat(e.getMessage()).doesNotContain("secret key of");
        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void theRegionIsLearntFromTheAnswer() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.header("authorization").contains("/eu-west-3/s3/")) {
                reply.answer(200, "", NO_ENTRIES);
            } else {
                reply.answer(
                        400, "", "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-3</Region></Error>");
            }
        });

        store.list(ListRequest.directory(""));
        store.list(ListRequest.directory(""));

        assertThat(server().requests()).hasSize(3);
        assertThat(store.region()).isEqualTo("eu-west-3");
    }

    @Test
    void aRegionThatTheUserNamedIsNotReplaced() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.answer(301, "x-amz-bucket-region: eu-west-3\r\n", "")),
                options().region("us-west-1"));

        StoreException e = failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.WrongRegion.class);

        assertThat(e.failure()).isEqualTo(new StoreFailure.WrongRegion("eu-west-3"));
        assertThat(e).hasMessageContaining("eu-west-3");
        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void regionsThatPointAtEachOtherEndInAFailure() {
        HttpObjectStore store = storeOf((request, reply) -> reply.answer(
                301, "x-amz-bucket-region: region-" + request.number() + "\r\nlocation: http://elsewhere/\r\n", ""));

        failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.WrongRegion.class);
        failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.WrongRegion.class);

        assertThat(server().requests()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "403, AccessDenied, Forbidden",
        "403, SomethingNew, Forbidden",
        "400, InvalidToken, Forbidden",
        "403, InvalidObjectState, Archived",
        "404, NoSuchBucket, NoSuchBucket",
        "404, NoSuchKey, NoSuchKey",
        "412, PreconditionFailed, PreconditionFailed",
        "416, InvalidRange, RangeNotSatisfiable",
        "501, NotImplemented, NotImplemented",
        "400, KeyTooLongError, Rejected",
        "507, XMinioStorageFull, ServerError",
        "307, TemporaryRedirect, WrongRegion"
    })
    void everyErrorHasItsKind(int status, String code, String kind) {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(status, code));

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.class);

        assertThat(e.failure().getClass().getSimpleName()).isEqualTo(kind);
        assertThat(e.answer().status()).isEqualTo(status);
        assertThat(e.answer().code()).isEqualTo(code);
        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void aRefusedListingNamesThePermission() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(403, "AccessDenied"));

        StoreException e = failureOf(() -> store.list(ListRequest.directory("a/")), StoreFailure.Forbidden.class);

        assertThat(e)
                .hasMessage(
                        "ListObjectsV2 of \"a/\" in bucket \"bucket\" failed: access denied; allow s3:ListBucket for these"
                                + " credentials (403 AccessDenied)");
    }

    @Test
    void aPageOfALoadBalancerIsJudgedByItsStatus() {
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(403, "", "<html><body>no<br></body>"));

        failureOf(() -> read(store, 0, 10), StoreFailure.Forbidden.class);
    }

    @Test
    void anonymousRequestsAreNotSigned() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.answer(200, "", NO_ENTRIES)),
                options().credentials(CredentialsSource.anonymous()));

        store.list(ListRequest.directory(""));

        assertThat(server().requests().getFirst().headers()).doesNotContainKey("authorization");
    }

    @Test
    void withoutCredentialsNothingIsSent() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.answer(200, "", NO_ENTRIES)),
                options()
                        .credentials(new CredentialsOptions(
                                        Map.of("HOME", "/nowhere"),
                                        false,
                                        null,
                                        null,
                                        null,
                                        Trust.platform(),
                                        Clock.systemUTC())
                                .source()));

        StoreException e = failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.NoCredentials.class);

        assertThat(e).hasMessageContaining("AWS_ACCESS_KEY_ID").hasMessageContaining("no profile default");
        assertThat(server().requests()).isEmpty();
    }
}
