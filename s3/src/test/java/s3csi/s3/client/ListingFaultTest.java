package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectInfo;
import s3csi.s3.RestoreStatus;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/** Listings of stores that follow the letter loosely, or not at all. */
class ListingFaultTest extends FaultFixture {
    private ListingPage list(String document, ListRequest request) throws Exception {
        return storeOf((_, reply) -> reply.answer(200, "", document)).list(request);
    }

    private ListingPage list(String document) throws Exception {
        return list(document, ListRequest.directory(""));
    }

    @Test
    void entriesAreReadWithAllTheirFields() throws Exception {
        ListingPage page = list("""
                <?xml version="1.0" encoding="UTF-8"?>
                <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix></Prefix>
                <EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>t&amp;1</NextContinuationToken>
                <Contents><Key>a+b%2Fc%2B%00</Key><LastModified>2026-11-15T10:00:00.123Z</LastModified>
                <ETag>&quot;abc&quot;</ETag><Size>12</Size><StorageClass>GLACIER</StorageClass>
                <Owner><ID>x</ID><DisplayName>y</DisplayName></Owner>
                <RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress>
                <RestoreExpiryDate>2026-12-01T00:00:00Z</RestoreExpiryDate></RestoreStatus></Contents>
                <CommonPrefixes><Prefix>d%C3%BC/</Prefix></CommonPrefixes></ListBucketResult>
                """);

        ObjectInfo object = page.objects().getFirst();
        assertThat(object.key()).isEqualTo("a b/c+\0");
        assertThat(object.size()).isEqualTo(12);
        assertThat(object.etag()).hasToString("abc");
        assertThat(object.lastModified()).isEqualTo(Instant.parse("2026-11-15T10:00:00.123Z"));
        assertThat(object.restore()).isEqualTo(new RestoreStatus.Restored(Instant.parse("2026-12-01T00:00:00Z")));
        assertThat(object.isReadable()).isTrue();
        assertThat(page.commonPrefixes()).containsExactly("dü/");
        assertThat(page.continuation()).isEqualTo("t&1");
    }

    @Test
    void missingFieldsAreLeftOpen() throws Exception {
        ListingPage page = list("<ListBucketResult><Contents><Key>a%20b</Key></Contents></ListBucketResult>");

        assertThat(page.objects().getFirst().key()).isEqualTo("a%20b");
        assertThat(page.objects().getFirst().isComplete()).isFalse();
        assertThat(page.isLast()).isTrue();
    }

    @Test
    void anObjectWhoseMarkIsEmptyIsListed() throws Exception {
        ListingPage page = list("""
                <ListBucketResult><Contents><Key>a</Key><ETag>W/&quot;&quot;</ETag><Size>1</Size></Contents>
                <Contents><Key>b</Key><ETag>W/&quot;abc&quot;</ETag><Size>1</Size></Contents></ListBucketResult>
                """);

        assertThat(page.objects()).extracting(ObjectInfo::key).containsExactly("a", "b");
        assertThat(page.objects().getFirst().etag()).isNull();
        assertThat(page.objects().getLast().etag()).hasToString("abc");
    }

    @Test
    void aPageOfAThousandOfTheLongestKeysIsRead() throws Exception {
        String key = "%C3%A4".repeat(512);
        StringBuilder document = new StringBuilder("<ListBucketResult><EncodingType>url</EncodingType>");
        for (int i = 0; i < 1000; i++) {
            document.append("<Contents><Key>")
                    .append(key)
                    .append("</Key><LastModified>2026-11-15T10:00:00.123Z</LastModified>")
                    .append(
                            "<ETag>&quot;0123456789abcdef0123456789abcdef-10000&quot;</ETag><Size>5497558138880</Size><Owner><ID>")
                    .append("0".repeat(64))
                    .append("</ID><DisplayName>somebody</DisplayName></Owner>")
                    .append(
                            "<ChecksumAlgorithm>CRC64NVME</ChecksumAlgorithm><StorageClass>STANDARD</StorageClass></Contents>");
        }

        assertThat(list(document.append("</ListBucketResult>").toString()).objects())
                .hasSize(1000);
    }

    /** Its end says nothing: only the document tells that something is missing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<",
                "<ListBucketResult>",
                "<ListBucketResult><Contents><Key>a</Key></Contents>",
                "<?xml vers"
            })
    void anAnswerWithoutALengthThatBreaksOffIsAskedForAgain(String beginning) throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            boolean isCut = request.number() <= 2;
            reply.send("HTTP/1.1 200 X\r\nconnection: close\r\n\r\n"
                    + (isCut ? beginning : "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>"));
            reply.close();
        });

        assertThat(store.list(ListRequest.directory("")).objects())
                .extracting(ObjectInfo::key)
                .containsExactly("a");
        assertThat(server().requests()).hasSize(3);
    }

    @Test
    void anAnswerThatIsCutThoughItsLengthIsRightIsNotAskedForAgain() {
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(200, "", "<ListBucketResult><Contents>"));

        StoreException e = failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.Protocol.class);

        assertThat(e).hasMessageContaining("ends within <Contents>");
        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void aPageFarLargerThanAskedForIsRefusedInWords() {
        HttpObjectStore store = storeOf((_, reply) -> {
            reply.send("HTTP/1.1 200 X\r\nconnection: close\r\n\r\n<ListBucketResult>");
            for (int i = 0; i < 200_000; i += 1000) {
                reply.send("<Contents><Key>key</Key><Size>1</Size><ETag>abc</ETag></Contents>".repeat(1000));
            }
            reply.send("</ListBucketResult>");
            reply.close();
        });

        StoreException e = failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.Protocol.class);

        assertThat(e).hasMessageContaining("more than 4 MiB, far more than was asked for");
        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void anEmptyTokenIsNone() throws Exception {
        ListingPage page =
                list("<ListBucketResult><IsTruncated>false</IsTruncated><NextContinuationToken/></ListBucketResult>");

        assertThat(page.isLast()).isTrue();
    }

    @Test
    void anEmptyPageThatGoesOnIsAPage() throws Exception {
        ListingPage page = list("<ListBucketResult><IsTruncated>true</IsTruncated>"
                + "<NextContinuationToken>x</NextContinuationToken></ListBucketResult>");

        assertThat(page.objects()).isEmpty();
        assertThat(page.continuation()).isEqualTo("x");
    }

    @Test
    void aListingThatGoesOnNowhereFails() {
        failureOf(
                () -> list("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
                StoreFailure.Protocol.class);
    }

    @Test
    void aTokenThatLeadsToItselfFails() {
        failureOf(
                () -> list(
                        "<ListBucketResult><IsTruncated>true</IsTruncated>"
                                + "<NextContinuationToken>x</NextContinuationToken></ListBucketResult>",
                        ListRequest.directory("").withContinuation("x")),
                StoreFailure.Protocol.class);
    }

    /** Stores that do not know the encoding send names as they are, and do not say that they are encoded. */
    @ParameterizedTest
    @CsvSource({"'', 100%25+1, a%2Fb+/", "<EncodingType>url</EncodingType>, 100% 1, a/b /"})
    void namesAreDecodedOnlyIfTheStoreEncodedThem(String encoding, String key, String prefix) throws Exception {
        ListingPage page = list("<ListBucketResult><Contents><Key>100%25+1</Key></Contents><CommonPrefixes>"
                + "<Prefix>a%2Fb+/</Prefix></CommonPrefixes>" + encoding + "</ListBucketResult>");

        assertThat(page.objects()).extracting(ObjectInfo::key).containsExactly(key);
        assertThat(page.commonPrefixes()).containsExactly(prefix);
    }

    @Test
    void aKeyThatIsNoTextIsLeftOut() throws Exception {
        ListingPage page =
                list("<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>bad%FF</Key></Contents>"
                        + "<Contents><Key>good</Key></Contents></ListBucketResult>");

        assertThat(page.objects()).extracting(ObjectInfo::key).containsExactly("good");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<ListBucketResult><Contents><Key>a</Key></Contents>",
                "<ListBucketResult><Contents></ListBucketResult>",
                "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><ListBucketResult></ListBucketResult>",
                "<ListBucketResult><Contents><Key>&e;</Key></Contents></ListBucketResult>",
                "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>",
                "<ListBucketResult/><ListBucketResult/>",
                "<Other/>",
                "plain text",
                ""
            })
    void whatIsNoListingFails(String document) {
        failureOf(() -> list(document), StoreFailure.Protocol.class);
    }

    @Test
    void aListingThatIsCutOnItsWayIsAskedForAgain() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 1000\r\n\r\n<ListBucketResult><Contents><Key>a</Key>");
                reply.close();
            } else {
                reply.answer(200, "", "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>");
            }
        });

        assertThat(store.list(ListRequest.directory("")).objects()).hasSize(1);
    }

    @Test
    void theQueryIsEncodedAndSorted() throws Exception {
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(200, "", "<ListBucketResult/>"));

        store.list(ListRequest.directory("a b/ü").withContinuation("t=1").withMaxKeys(7));

        assertThat(server().requests().getFirst().target())
                .isEqualTo("/bucket/?continuation-token=t%3D1&delimiter=%2F&encoding-type=url&list-type=2&max-keys=7"
                        + "&prefix=a%20b%2F%C3%BC");
    }
}
