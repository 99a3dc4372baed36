package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.ByteRange;
import s3csi.s3.Condition;
import s3csi.s3.CopySource;
import s3csi.s3.ETag;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.UploadedPart;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.testing.HeardLog;
import s3csi.s3.testing.Reply;
import s3csi.s3.testing.ScriptedServer;

/** Writes succeed only when the object is whole, and do not fail when it is. */
class WriteFaultTest extends FaultFixture {
    private static final Upload UPLOAD = new Upload("key", "upload", UploadChecksum.CRC32C);
    private static final String STORED = "etag: \"abc123\"\r\n";
    private static final String COMPLETED =
            "<CompleteMultipartUploadResult><ETag>&quot;abc123-1&quot;</ETag></CompleteMultipartUploadResult>";
    private static final UploadedPart PART =
            new UploadedPart(1, 100, new ETag("0123456789abcdef0123456789abcdef"), null);

    private ETag put(HttpObjectStore store, Payload body, Condition condition) throws StoreException {
        return store.put("key", body, ObjectAttributes.DEFAULTS, condition);
    }

    @Test
    void aBodyIsSentAgainFromItsStart() throws Exception {
        byte[] bytes = random(200_000);
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.answer(500, "", "");
            } else {
                reply.answer(200, STORED, "");
            }
        });

        assertThat(put(store, payload(bytes), Condition.NONE)).isEqualTo(new ETag(ETAG));

        assertThat(server().requests())
                .allSatisfy(request -> assertThat(request.body().getBytes(StandardCharsets.ISO_8859_1))
                        .isEqualTo(bytes));
        assertThat(server().requests().getFirst().header("x-amz-checksum-crc32c"))
                .isEqualTo(Checksums.base64Of32(Checksums.crc32c(payload(bytes))));
        assertThat(server().requests().getFirst().header("x-amz-content-sha256"))
                .isEqualTo("UNSIGNED-PAYLOAD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"XAmzContentSHA256Mismatch", "SignatureDoesNotMatch"})
    void aStoreThatRefusesUnsignedBodiesGetsSignedOnesFromThenOn(String code) throws Exception {
        byte[] bytes = random(1000);
        HttpObjectStore store = storeOf((request, reply) -> {
            if ("UNSIGNED-PAYLOAD".equals(request.headers().get("x-amz-content-sha256"))) {
                reply.error(code.equals("SignatureDoesNotMatch") ? 403 : 400, code);
            } else {
                reply.answer(200, STORED, "");
            }
        });

        put(store, payload(bytes), Condition.NONE);
        int learnt = server().requests().size();
        store.uploadPart(UPLOAD, 1, payload(bytes));

        assertThat(server().requests().subList(learnt - 1, server().requests().size()))
                .hasSize(2)
                .allSatisfy(request -> assertThat(request.header("x-amz-content-sha256"))
                        .isEqualTo(Checksums.sha256Hex(payload(bytes))));
    }

    @Test
    void wrongKeysAreCalledThatThoughASignedBodyWasTried() throws Exception {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(403, "SignatureDoesNotMatch"));

        StoreException e = failureOf(() -> put(store, payload(random(10)), Condition.NONE), StoreFailure.class);

        assertThat(e.answer().code()).isEqualTo("SignatureDoesNotMatch");
        assertThat(server().requests()).hasSize(2);
    }

    @Test
    void anObjectThatWasCreatedThoughTheAnswerGotLostIsFound() throws Exception {
        byte[] bytes = random(1000);
        String md5 = HexFormat.of().formatHex(Checksums.md5(payload(bytes)));
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.method().equals("HEAD")) {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 1000\r\netag: \"" + md5 + "\"\r\n\r\n");
            } else if (request.number() == 1) {
                reply.close();
            } else {
                reply.error(412, "PreconditionFailed");
            }
        });

        assertThat(put(store, payload(bytes), Condition.ABSENT)).isEqualTo(new ETag(md5));
    }

    @Test
    void anObjectThatSomebodyElseCreatedMeanwhileIsNotTakenForOurs() {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.method().equals("HEAD")) {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 1000\r\netag: \"theirs\"\r\n\r\n");
            } else if (request.number() == 1) {
                reply.close();
            } else {
                reply.error(412, "PreconditionFailed");
            }
        });

        failureOf(() -> put(store, payload(random(1000)), Condition.ABSENT), StoreFailure.PreconditionFailed.class);
    }

    @Test
    void aPreconditionThatFailsAtOnceIsNotInDoubt() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(412, "PreconditionFailed"));

        failureOf(() -> put(store, payload(random(10)), Condition.ABSENT), StoreFailure.PreconditionFailed.class);

        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void anUploadThatWasCompletedThoughTheAnswerGotLostIsFound() throws Exception {
        String etag = multipartETag();
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.method().equals("HEAD")) {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 100\r\netag: \"" + etag + "\"\r\n\r\n");
            } else if (request.number() == 1) {
                reply.reset();
            } else {
                reply.error(404, "NoSuchUpload");
            }
        });

        assertThat(store.completeUpload(UPLOAD, List.of(PART), Condition.NONE)).isEqualTo(new ETag(etag));
    }

    /** The server took the request from a kept connection, did it, and closed before it answered: the client sends it again unasked. */
    @Test
    void aCompletionThatWasSentAgainOnAnotherConnectionIsFound() throws Exception {
        String etag = multipartETag();
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.method().equals("HEAD")) {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 100\r\netag: \"" + etag + "\"\r\n\r\n");
            } else if (request.number() == 2) {
                reply.close();
            } else {
                reply.error(404, "NoSuchUpload");
            }
        });
        store.head("key");

        assertThat(store.completeUpload(UPLOAD, List.of(PART), Condition.NONE)).isEqualTo(new ETag(etag));
        assertThat(waits).isEmpty();
    }

    @Test
    void aPutThatWasSentAgainOnAnotherConnectionIsFound() throws Exception {
        byte[] bytes = random(1000);
        String md5 = HexFormat.of().formatHex(Checksums.md5(payload(bytes)));
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.method().equals("HEAD")) {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 1000\r\netag: \"" + md5 + "\"\r\n\r\n");
            } else if (request.number() == 2) {
                reply.reset();
            } else {
                reply.error(412, "PreconditionFailed");
            }
        });
        store.head("key");

        assertThat(put(store, payload(bytes), Condition.ABSENT)).isEqualTo(new ETag(md5));
    }

    /** A proxy may have passed the request on before it says that nobody answers; a store may fail after it stored. */
    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504, 599})
    void anAnswerThatTellsNothingLeavesTheMatterToTheETag(int status) throws Exception {
        byte[] bytes = random(1000);
        String md5 = HexFormat.of().formatHex(Checksums.md5(payload(bytes))).toUpperCase(Locale.ROOT);
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.method().equals("HEAD")) {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 1000\r\netag: \"" + md5 + "\"\r\n\r\n");
            } else {
                reply.answer(status, "", "");
            }
        });

        assertThat(put(store, payload(bytes), Condition.NONE)).isEqualTo(new ETag(md5));
    }

    @Test
    void aRefusalThatTellsEnoughIsNotInDoubt() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(403, "AccessDenied"));

        failureOf(() -> store.completeUpload(UPLOAD, List.of(PART), Condition.NONE), StoreFailure.Forbidden.class);

        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void anObjectThatIsNotAsItShouldBeIsNoSuccessBecauseAnAnswerWasLost() {
        byte[] bytes = random(1000);
        String md5 = HexFormat.of().formatHex(Checksums.md5(payload(bytes)));
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() == 1) {
                        reply.close();
                    } else {
                        reply.answer(200, "etag: \"" + md5 + "\"\r\n", "");
                    }
                }),
                options().encryption(new Encryption("AES256", null)));

        failureOf(() -> put(store, payload(bytes), Condition.NONE), StoreFailure.Integrity.class);
    }

    private static String multipartETag() {
        return HexFormat.of()
                        .formatHex(Checksums.newDigest("MD5")
                                .digest(HexFormat.of().parseHex(PART.etag().text())))
                + "-1";
    }

    @Test
    void anErrorWithinAGoodAnswerIsAnError() {
        HttpObjectStore store = storeOf((_, reply) ->
                reply.answer(200, "", "  \n<Error><Code>InvalidPart</Code><Message>no</Message></Error>"));

        StoreException e = failureOf(
                () -> store.completeUpload(UPLOAD, List.of(PART), Condition.NONE), StoreFailure.ServerError.class);

        assertThat(e.answer().code()).isEqualTo("InvalidPart");
    }

    @Test
    void anErrorThatPassesWithinAGoodAnswerIsTriedAgain() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.answer(200, "", "<Error><Code>InternalError</Code></Error>");
            } else {
                reply.answer(200, "", COMPLETED);
            }
        });

        assertThat(store.completeUpload(UPLOAD, List.of(PART), Condition.NONE)).isEqualTo(new ETag("abc123-1"));
    }

    @Test
    void aCopyWithAnErrorWithinAGoodAnswerFails() {
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(200, "", "<Error><Code>SlowDown</Code></Error>"));

        failureOf(
                () -> store.copyPart(UPLOAD, 1, new CopySource("source", new ETag("x")), new ByteRange(0, 10)),
                StoreFailure.Throttled.class);
        assertThat(server().requests()).hasSize(10);
    }

    /** What Cloudflare R2 and Backblaze B2 say to checksums that they do not know. */
    private static final Map<String, String> UNKNOWN = Map.of(
            "NotImplemented", "Header 'x-amz-checksum-crc32c' with value 'abc' not implemented",
            "InvalidArgument", "Unsupported header 'x-amz-checksum-crc32c' received for this API call.");

    private static void refuseChecksum(Reply reply, String code) throws IOException {
        reply.answer(
                code.equals("NotImplemented") ? 501 : 400,
                "",
                "<Error><Code>" + code + "</Code><Message>" + UNKNOWN.get(code) + "</Message></Error>");
    }

    @Test
    void anOddRefusalLeavesTheChecksums() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.error(400, "InvalidArgument");
            } else {
                reply.answer(200, STORED, "");
            }
        });

        put(store, payload(random(10)), Condition.NONE);
        put(store, payload(random(10)), Condition.NONE);

        assertThat(server().requests())
                .hasSize(3)
                .allSatisfy(request -> assertThat(request.headers())
                        .containsKey("x-amz-checksum-crc32c")
                        .doesNotContainKey("content-md5"));
    }

    private static Clock turned(AtomicReference<Instant> now) {
        return new Clock() {
            @Override
            public Instant instant() {
                return now.get();
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }

    /** What was sent instead was our idea; the user asked for the first. */
    @Test
    void whereNoChecksumHelpsTheFirstRefusalIsTold() {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.headers().containsKey("x-amz-checksum-crc32c")) {
                refuseChecksum(reply, "NotImplemented");
            } else {
                reply.error(400, "EntityTooSmall");
            }
        });

        failureOf(() -> put(store, payload(random(10)), Condition.NONE), StoreFailure.NotImplemented.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NotImplemented", "InvalidArgument"})
    void checksumsAreTriedAgainAfterAWhile(String code) throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(NOW);
        AtomicBoolean isKnown = new AtomicBoolean();
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.headers().containsKey("x-amz-checksum-crc32c") && !isKnown.get()) {
                        refuseChecksum(reply, code);
                    } else {
                        reply.answer(200, STORED, "");
                    }
                }),
                options().time(turned(now), new Random(1), waits::add));
        try (HeardLog log = new HeardLog(UploadProtection.class)) {
            put(store, payload(random(10)), Condition.NONE);
            now.updateAndGet(time -> time.plus(Duration.ofMinutes(11)));
            put(store, payload(random(10)), Condition.NONE);
            assertThat(server().requests()).hasSize(4);
            assertThat(log.warnings())
                    .as("told once, not each time")
                    .singleElement()
                    .asString()
                    .contains("does not know upload checksums of kind CRC32C", "uploads go on with MD5");

            isKnown.set(true);
            put(store, payload(random(10)), Condition.NONE);
            now.updateAndGet(time -> time.plus(Duration.ofMinutes(11)));
            put(store, payload(random(10)), Condition.NONE);
            put(store, payload(random(10)), Condition.NONE);
            assertThat(log.information())
                    .singleElement()
                    .asString()
                    .contains("takes upload checksums of kind CRC32C now");
        }

        assertThat(server().requests()).hasSize(7);
        assertThat(server().requests().get(4).headers()).containsKey("content-md5");
        assertThat(server().requests().subList(5, 7))
                .allSatisfy(request -> assertThat(request.headers()).containsKey("x-amz-checksum-crc32c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NotImplemented", "InvalidArgument"})
    void aStoreThatDoesNotKnowNewChecksumsGetsOlderOnesFromThenOn(String code) throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.headers().containsKey("x-amz-checksum-crc32c")) {
                refuseChecksum(reply, code);
            } else {
                reply.answer(200, STORED, "");
            }
        });

        put(store, payload(random(10)), Condition.NONE);
        put(store, payload(random(10)), Condition.NONE);

        assertThat(server().requests()).hasSize(3);
        assertThat(server().requests().subList(1, 3))
                .allSatisfy(request -> assertThat(request.header("content-md5"))
                        .isEqualTo(Checksums.base64(Checksums.md5(payload(random(10))))));
    }

    @Test
    void aStoreThatRefusesAllChecksumsGetsNone() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            boolean protects = request.headers().containsKey("x-amz-checksum-crc32c")
                    || request.headers().containsKey("content-md5");
            if (protects) {
                reply.error(501, "NotImplemented");
            } else {
                reply.answer(200, STORED, "");
            }
        });

        put(store, payload(random(10)), Condition.NONE);

        assertThat(server().requests()).hasSize(3);
    }

    @Test
    void aStoreThatDoesNotImplementPutSaysSo() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(501, "NotImplemented"));

        failureOf(() -> put(store, payload(random(10)), Condition.NONE), StoreFailure.NotImplemented.class);
    }

    @Test
    void corruptionOnTheWayIsRepairedBySendingAgain() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.error(400, "BadDigest");
            } else {
                reply.answer(200, STORED, "");
            }
        });

        put(store, payload(random(10)), Condition.NONE);

        assertThat(server().requests()).hasSize(2);
    }

    /** Bytes may be spoilt on their way; a list of parts that does not fit together stays so. */
    @ParameterizedTest
    @CsvSource({
        "400, BadDigest",
        "200, BadDigest",
        "400, XAmzContentChecksumMismatch",
        "400, XAmzContentSHA256Mismatch",
        "400, InvalidPart",
        "400, InvalidPartOrder",
        "400, EntityTooSmall"
    })
    void partsThatDoNotFitTogetherAreSentOnce(int status, String code) {
        HttpObjectStore store = storeOf((_, reply) -> {
            if (status == 200) {
                reply.answer(200, "", "<Error><Code>" + code + "</Code></Error>");
            } else {
                reply.error(status, code);
            }
        });

        StoreException e =
                failureOf(() -> store.completeUpload(UPLOAD, List.of(PART), Condition.NONE), StoreFailure.class);

        assertThat(e.answer().code()).isEqualTo(code);
        assertThat(server().requests()).as("requests to complete").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"500, InternalError, ServerError", "400, InvalidArgument, Rejected", "403, AccessDenied, Forbidden"})
    void whatTheStoreDidNotRemoveIsAFailure(int status, String code, String failure) {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(status, code));

        for (StoreException e : List.of(
                failureOf(() -> store.abortUpload(UPLOAD), StoreFailure.class),
                failureOf(() -> store.delete("key"), StoreFailure.class))) {
            assertThat(e.failure().getClass().getSimpleName()).isEqualTo(failure);
        }
    }

    @Test
    void whatIsGoneAlreadyIsRemoved() throws Exception {
        HttpObjectStore store = storeOf((request, reply) ->
                reply.error(404, request.target().contains("uploadId") ? "NoSuchUpload" : "NoSuchKey"));

        store.abortUpload(UPLOAD);
        store.delete("key");

        assertThat(server().requests()).hasSize(2);
    }

    @Test
    void encryptionThatTheStoreIgnoresIsAFailure() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.answer(200, STORED, "")),
                options().encryption(new Encryption("aws:kms", "arn:aws:kms:r:1:key/k")));

        StoreException e =
                failureOf(() -> put(store, payload(random(10)), Condition.NONE), StoreFailure.Integrity.class);

        assertThat(e).hasMessageContaining("did not encrypt");
        assertThat(server().requests().getFirst().header("x-amz-server-side-encryption"))
                .isEqualTo("aws:kms");
    }

    @Test
    void settingsOfTheStoreGoWithEveryObject() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer(
                        (_, reply) -> reply.answer(200, STORED + "x-amz-server-side-encryption: AES256\r\n", "")),
                options()
                        .encryption(new Encryption("AES256", null))
                        .storageClass("COLD")
                        .requesterPays(true)
                        .expectedBucketOwner("123")
                        .userAgent("tester/1"));

        store.put("key", payload(random(10)), new ObjectAttributes("text/plain"), Condition.ABSENT);

        ScriptedServer.Request request = server().requests().getFirst();
        assertThat(request.header("x-amz-storage-class")).isEqualTo("COLD");
        assertThat(request.header("x-amz-request-payer")).isEqualTo("requester");
        assertThat(request.header("x-amz-expected-bucket-owner")).isEqualTo("123");
        assertThat(request.header("user-agent")).isEqualTo("tester/1");
        assertThat(request.header("content-type")).isEqualTo("text/plain");
        assertThat(request.header("if-none-match")).isEqualTo("*");
    }
}
