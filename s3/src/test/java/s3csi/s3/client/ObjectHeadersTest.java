package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.ObjectInfo;
import s3csi.s3.RestoreStatus;
import s3csi.s3.StoreFailure;

/** What a HEAD tells of an object. */
class ObjectHeadersTest extends FaultFixture {
    private ObjectInfo head(String... headers) throws Exception {
        return storeOf((_, reply) -> reply.send("HTTP/1.1 200 X\r\n" + String.join("\r\n", headers) + "\r\n\r\n"))
                .head("key");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GLACIER | | false",
                "DEEP_ARCHIVE | | false",
                "GLACIER | ongoing-request=\"true\" | false",
                "DEEP_ARCHIVE | ongoing-request=\"true\" | false",
                "GLACIER | ongoing-request=\"false\", expiry-date=\"Fri, 21 Dec 2029 00:00:00 GMT\" | true",
                "DEEP_ARCHIVE | ongoing-request=\"false\" | true",
                "GLACIER_IR | | true",
                "INTELLIGENT_TIERING | | true",
                "STANDARD | | true"
            })
    void archivedObjectsAreReadableOnceTheyAreRestored(
            String storageClass, @Nullable String restore, boolean isReadable) throws Exception {
        ObjectInfo info = head(
                "content-length: 5",
                "etag: \"abc\"",
                "x-amz-storage-class: " + storageClass,
                restore == null ? "x-other: 1" : "x-amz-restore: " + restore);

        assertThat(info.isReadable()).isEqualTo(isReadable);
    }

    @Test
    void everythingThatAHeadSaysIsRead() throws Exception {
        ObjectInfo info = head(
                "content-length: 5",
                "ETag: \"abc-2\"",
                "last-modified: Sun, 15 Nov 2026 10:20:00 GMT",
                "x-amz-storage-class: GLACIER",
                "x-amz-restore: ongoing-request=\"false\", expiry-date=\"Fri, 21 Dec 2029 00:00:00 GMT\"");

        assertThat(info.size()).isEqualTo(5);
        assertThat(info.etag()).hasToString("abc-2");
        assertThat(info.lastModified()).isEqualTo(Instant.parse("2026-11-15T10:20:00Z"));
        assertThat(info.storageClass()).isEqualTo("GLACIER");
        assertThat(info.restore()).isEqualTo(new RestoreStatus.Restored(Instant.parse("2029-12-21T00:00:00Z")));
    }

    @Test
    void aStoreMaySayLittle() throws Exception {
        ObjectInfo info = head("content-length: 0", "etag: unquoted");

        assertThat(info.etag()).hasToString("unquoted");
        assertThat(info.lastModified()).isEqualTo(Instant.EPOCH);
        assertThat(info.storageClass()).isNull();
        assertThat(info.isReadable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connection: close",
                "content-length: -1",
                "content-length: many",
                "content-length: 9999999999999999999"
            })
    void anObjectWithoutASizeIsNone(String length) {
        failureOf(() -> head("etag: \"abc\"", length), StoreFailure.Protocol.class);
    }
}
