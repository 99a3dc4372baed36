package s3csi.filesystem.inode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.ETag;

/** An ETag comes back as it was, packed or not. */
class VersionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "d41d8cd98f00b204e9800998ecf8427e",
                "00000000000000000000000000000000",
                "ffffffffffffffffffffffffffffffff-1",
                "d41d8cd98f00b204e9800998ecf8427e-10000",
                "d41d8cd98f00b204e9800998ecf8427e-99999"
            })
    void aDigestIsPacked(String text) {
        Version version = Version.of(new ETag(text));

        assertThat(version).isInstanceOf(Version.Digest.class);
        assertThat(version.etag().text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "D41D8CD98F00B204E9800998ECF8427E",
                "d41d8cd98f00b204e9800998ecf8427",
                "d41d8cd98f00b204e9800998ecf8427e0",
                "d41d8cd98f00b204e9800998ecf8427g",
                "d41d8cd98f00b204e9800998ecf8427e-",
                "d41d8cd98f00b204e9800998ecf8427e-0",
                "d41d8cd98f00b204e9800998ecf8427e-01",
                "d41d8cd98f00b204e9800998ecf8427e-+1",
                "d41d8cd98f00b204e9800998ecf8427e-1-1",
                "d41d8cd98f00b204e9800998ecf8427e-100000",
                "d41d8cd98f00b204e9800998ecf8427e-٣",
                "-1",
                "x"
            })
    void whatPackingWouldChangeStaysText(String text) {
        Version version = Version.of(new ETag(text));

        assertThat(version).isInstanceOf(Version.Text.class);
        assertThat(version.etag().text()).isEqualTo(text);
    }
}
