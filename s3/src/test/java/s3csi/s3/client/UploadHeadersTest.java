package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.s3.ByteRange;
import s3csi.s3.Condition;
import s3csi.s3.CopySource;
import s3csi.s3.ETag;
import s3csi.s3.ListRequest;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.UploadedPart;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.testing.Reply;
import s3csi.s3.testing.ScriptedServer;

/** What goes with uploads, request by request: checksums, storage class, encryption; and what goes with all requests. */
class UploadHeadersTest extends FaultFixture {
    private static final byte[] BYTES = random(9000);
    private static final List<String> CHECKSUMS =
            List.of("content-md5", "x-amz-checksum-crc32c", "x-amz-checksum-crc64nvme");

    /** A store that takes everything. */
    private static void takeAll(ScriptedServer.Request request, Reply reply) throws IOException {
        String encryption = "x-amz-server-side-encryption: AES256\r\n";
        if (request.target().endsWith("?uploads=") || request.target().endsWith("?uploads")) {
            reply.answer(
                    200,
                    encryption,
                    "<InitiateMultipartUploadResult><UploadId>id</UploadId></InitiateMultipartUploadResult>");
        } else if (request.headers().containsKey("x-amz-copy-source")) {
            reply.answer(200, "", "<CopyPartResult><ETag>copied</ETag></CopyPartResult>");
        } else if (request.method().equals("POST")) {
            reply.answer(200, "", "<CompleteMultipartUploadResult><ETag>whole</ETag></CompleteMultipartUploadResult>");
        } else {
            reply.answer(200, "etag: \"abc123\"\r\n" + encryption, "");
        }
    }

    private HttpObjectStore store(UploadChecksum checksum) {
        return storeOf(new ScriptedServer(UploadHeadersTest::takeAll), options().uploadChecksum(checksum));
    }

    private static @Nullable String header(UploadChecksum checksum) {
        return switch (checksum) {
            case CRC32C -> "x-amz-checksum-crc32c";
            case CRC64NVME -> "x-amz-checksum-crc64nvme";
            case MD5 -> "content-md5";
            case OFF -> null;
        };
    }

    private String valueOf(UploadChecksum checksum, byte[] bytes) {
        return switch (checksum) {
            case CRC32C -> Checksums.base64Of32(Checksums.crc32c(payload(bytes)));
            case CRC64NVME -> Checksums.base64Of64(Checksums.crc64nvme(payload(bytes)));
            case MD5 -> Checksums.base64(Checksums.md5(payload(bytes)));
            case OFF -> "";
        };
    }

    private void assertProtected(ScriptedServer.Request request, UploadChecksum checksum, byte[] bytes) {
        for (String each : CHECKSUMS) {
            assertThat(request.header(each))
                    .as("%s of %s %s", each, request.method(), request.target())
                    .isEqualTo(each.equals(header(checksum)) ? valueOf(checksum, bytes) : "");
        }
    }

    @ParameterizedTest
    @EnumSource(UploadChecksum.class)
    void anObjectInOnePieceCarriesTheChecksumThatIsWantedAndNoOther(UploadChecksum checksum) throws Exception {
        store(checksum).put("key", payload(BYTES), ObjectAttributes.DEFAULTS, Condition.NONE);

        assertProtected(server().requests().getFirst(), checksum, BYTES);
    }

    @ParameterizedTest
    @CsvSource({"CRC32C, CRC32C, ''", "CRC64NVME, CRC64NVME, FULL_OBJECT", "MD5, '', ''", "OFF, '', ''"})
    void anUploadInPartsAgreesOnTheChecksumOfItsPartsAndRepeatsThemAtTheEnd(
            UploadChecksum checksum, String algorithm, String type) throws Exception {
        HttpObjectStore store = store(checksum);
        byte[] first = Arrays.copyOf(BYTES, 6000);
        byte[] second = Arrays.copyOfRange(BYTES, 6000, 9000);

        Upload upload = store.createUpload("key", ObjectAttributes.DEFAULTS);
        UploadedPart one = store.uploadPart(upload, 1, payload(first));
        UploadedPart two = store.uploadPart(upload, 2, payload(second));
        store.completeUpload(upload, List.of(one, two), Condition.NONE);

        List<ScriptedServer.Request> requests = server().requests();
        assertThat(requests.get(0).header("x-amz-checksum-algorithm")).isEqualTo(algorithm);
        assertThat(requests.get(0).header("x-amz-checksum-type")).isEqualTo(type);
        assertProtected(requests.get(1), checksum, first);
        assertProtected(requests.get(2), checksum, second);
        String body = requests.get(3).body();
        if (algorithm.isEmpty()) {
            assertThat(body).doesNotContain("<Checksum");
        } else {
            assertThat(body)
                    .containsSubsequence(
                            "<PartNumber>1</PartNumber>",
                            "<Checksum" + algorithm + '>' + valueOf(checksum, first) + "</Checksum" + algorithm + '>',
                            "<PartNumber>2</PartNumber>",
                            "<Checksum" + algorithm + '>' + valueOf(checksum, second) + "</Checksum" + algorithm + '>');
        }
        assertThat(requests.get(3).header("x-amz-checksum-crc64nvme"))
                .as("of the whole object")
                .isEqualTo(checksum == UploadChecksum.CRC64NVME ? valueOf(checksum, BYTES) : "");
    }

    /** Objects have checksums of other kinds, or none; a copy of them cannot be agreed on. */
    @ParameterizedTest
    @CsvSource({"CRC32C, MD5", "CRC64NVME, MD5", "OFF, OFF"})
    void anUploadThatGoesOnBehindAnObjectAgreesOnNothing(UploadChecksum wanted, UploadChecksum sent) throws Exception {
        HttpObjectStore store = store(wanted);

        Upload upload = store.createUploadWithCopies("key", ObjectAttributes.DEFAULTS);
        UploadedPart copied =
                store.copyPart(upload, 1, new CopySource("key", new ETag("old")), new ByteRange(0, 6_000_000));
        UploadedPart fresh = store.uploadPart(upload, 2, payload(BYTES));
        store.completeUpload(upload, List.of(copied, fresh), Condition.NONE);

        List<ScriptedServer.Request> requests = server().requests();
        assertThat(requests.get(0).headers()).doesNotContainKey("x-amz-checksum-algorithm");
        assertThat(requests.get(1).header("x-amz-copy-source")).isEqualTo("/bucket/key");
        assertThat(requests.get(1).header("x-amz-copy-source-if-match")).isEqualTo("\"old\"");
        assertThat(requests.get(1).header("x-amz-copy-source-range")).isEqualTo("bytes=0-5999999");
        assertProtected(requests.get(2), sent, BYTES);
        assertThat(requests.get(3).body()).doesNotContain("<Checksum").contains("copied", "abc123");
    }

    @Test
    void classAndEncryptionAndTypeAreSaidWhenAnUploadInPartsBegins() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer(UploadHeadersTest::takeAll),
                options().encryption(new Encryption("AES256", null)).storageClass("COLD"));

        Upload upload = store.createUpload("key", new ObjectAttributes("text/plain"));
        store.uploadPart(upload, 1, payload(BYTES));

        ScriptedServer.Request begun = server().requests().get(0);
        assertThat(begun.header("x-amz-storage-class")).isEqualTo("COLD");
        assertThat(begun.header("x-amz-server-side-encryption")).isEqualTo("AES256");
        assertThat(begun.header("content-type")).isEqualTo("text/plain");
        // S3 refuses to hear of it again.
        assertThat(server().requests().get(1).headers())
                .doesNotContainKeys("x-amz-storage-class", "x-amz-server-side-encryption");
    }

    @Test
    void anUploadInPartsThatTheStoreDoesNotEncryptIsNotBegun() {
        HttpObjectStore store = storeOf(
                new ScriptedServer(UploadHeadersTest::takeAll), options().encryption(new Encryption("aws:kms", null)));

        StoreException e =
                failureOf(() -> store.createUpload("key", ObjectAttributes.DEFAULTS), StoreFailure.Integrity.class);

        assertThat(e).hasMessageContaining("did not encrypt");
    }

    @Test
    void whoOwnsTheBucketAndWhoPaysGoesWithEveryRequest() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.method().equals("HEAD")) {
                        reply.answer(403, "", "");
                    } else {
                        reply.error(403, "AccessDenied");
                    }
                }),
                options().requesterPays(true).expectedBucketOwner("123"));
        Upload upload = new Upload("key", "id", UploadChecksum.OFF);
        CopySource source = new CopySource("key", new ETag("old"));

        for (ThrowingCallable request : List.<ThrowingCallable>of(
                () -> store.head("key"),
                () -> read(store, 0, 10),
                () -> store.list(ListRequest.directory("")),
                () -> store.put("key", payload(BYTES), ObjectAttributes.DEFAULTS, Condition.NONE),
                () -> store.createUpload("key", ObjectAttributes.DEFAULTS),
                () -> store.uploadPart(upload, 1, payload(BYTES)),
                () -> store.copyPart(upload, 1, source, new ByteRange(0, 10)),
                () -> store.completeUpload(
                        upload, List.of(new UploadedPart(1, 10, new ETag("part"), null)), Condition.NONE),
                () -> store.abortUpload(upload),
                () -> store.listUploads("", null),
                () -> store.delete("key"))) {
            failureOf(request, StoreFailure.Forbidden.class);
        }

        assertThat(server().requests()).hasSizeGreaterThanOrEqualTo(11).allSatisfy(request -> {
            String what = request.method() + ' ' + request.target();
            assertThat(request.header("x-amz-expected-bucket-owner")).as(what).isEqualTo("123");
            assertThat(request.header("x-amz-request-payer")).as(what).isEqualTo("requester");
        });
    }

    @ParameterizedTest
    @CsvSource({"404, NoSuchBucket, NoSuchBucket", "403, AccessDenied, Forbidden", "409, InvalidBucketState, Rejected"})
    void aRemovalThatIsRefusedIsNoSuccess(int status, String code, String kind) {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(status, code));

        StoreException e = failureOf(() -> store.delete("key"), StoreFailure.class);

        assertThat(e.failure().getClass().getSimpleName()).isEqualTo(kind);
    }
}
