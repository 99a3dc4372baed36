package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"abc", "a-b", "a.b.c", "0ab", "csi-s3-3b241101-e2bb-4255-8caf-4136c566a962"})
    void acceptsWhatEveryStoreAccepts(String name) {
        assertThat(new BucketName(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ab",
                "Abc",
                "-ab",
                "ab-",
                "a..b",
                "a_b",
                "a/b",
                "10.0.0.1",
                "a b",
                "ä-b",
                "../etc",
                "a\nb",
                "a-b\n",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void refusesTheRest(String name) {
        assertThat(BucketName.isValid(name)).isFalse();
        assertThatThrownBy(() -> new BucketName(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a bucket name");
    }

    @Test
    void aHostileNameIsShownOnOneLine() {
        assertThatThrownBy(() -> new BucketName("a\r\nb\u001b[31m"))
                .hasMessageStartingWith("\"a\\u000d\\u000ab\\u001b[31m\" is not");
    }
}
