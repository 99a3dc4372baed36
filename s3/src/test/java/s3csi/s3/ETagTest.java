package s3csi.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ETagTest {
    @ParameterizedTest
    @ValueSource(strings = {"abc-2", "\"abc-2\"", "W/\"abc-2\"", " \"abc-2\" "})
    void allFormsOfOneVersionAreEqual(String raw) {
        assertThat(ETag.parse(raw)).isEqualTo(new ETag("abc-2"));
        assertThat(new ETag("abc-2").quoted()).isEqualTo("\"abc-2\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"\"", "W/\"\"", "W/", "\"W/\"", " W/ \"\" "})
    void nothingIsNoVersion(String raw) {
        assertThat(ETag.parse(raw)).isNull();
    }

    @Test
    void aRangeIsWrittenWithItsLastByte() {
        assertThat(new ByteRange(10, 5).header()).isEqualTo("bytes=10-14");
        assertThat(ByteRange.between(10, 15).skip(3)).isEqualTo(new ByteRange(13, 2));
        assertThatThrownBy(() -> new ByteRange(0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textFromOutsideCannotBreakALine() {
        assertThat(Quoted.text("a\nb\"c\u202e")).isEqualTo("\"a\\u000ab\\\"c\\u202e\"");
    }
}
