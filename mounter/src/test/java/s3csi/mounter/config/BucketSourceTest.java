package s3csi.mounter.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BucketSourceTest {
    @ParameterizedTest
    @CsvSource({
        "bucket, bucket, ''",
        "my.Bucket_1-x, my.Bucket_1-x, ''",
        "s3://bucket, bucket, ''",
        "s3://bucket/, bucket, ''",
        "s3://bucket/a/, bucket, a/",
        "s3://bucket/a/b/, bucket, a/b/",
        "s3://bucket//, bucket, /",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/mine, arn:aws:s3:us-west-2:123456789012:accesspoint/mine, ''",
        "arn:aws:s3-outposts:us-west-2:123456789012:outpost/op-01/accesspoint/mine, arn:aws:s3-outposts:us-west-2:123456789012:outpost/op-01/accesspoint/mine, ''"
    })
    void namesUrisAndArnsAreRead(String text, String bucket, String prefix) {
        assertThat(BucketSource.parse(text)).isEqualTo(new BucketSource(bucket, prefix));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ab",
                "bucket/",
                "bucket/prefix/",
                "/tmp/dir",
                "https://bucket",
                "http://bucket.s3.amazonaws.com/",
                "s3://",
                "s3:///a/",
                "s3://ab/",
                "s3://bucket/prefix",
                "s3://arn:aws:s3:us-west-2:123456789012:accesspoint/mine",
                "s3://arn:aws:s3:us-west-2:123456789012:accesspoint/mine/a/",
                "buc ket"
            })
    void anythingElseIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> BucketSource.parse(text));
    }

    @Test
    void lengthIsLimited() {
        assertThat(BucketSource.parse("a".repeat(255)).bucket()).hasSize(255);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BucketSource.parse("a".repeat(256)))
                .withMessageContaining("255");
    }

    @Test
    void theLineOfSuccessNamesWhatIsMounted() {
        assertThat(new BucketSource("bucket", "")).hasToString("bucket bucket");
        assertThat(new BucketSource("bucket", "a/")).hasToString("prefix a/ of bucket bucket");
    }
}
