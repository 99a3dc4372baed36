package s3csi.volume.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    /** Already as it is written: without spaces, and with no escape that is not needed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"\"",
                "0",
                "-0",
                "12345678901234567890123",
                "1.50",
                "-2.5e3",
                "1E+400",
                "true",
                "false",
                "null",
                "[[],{},[{}]]",
                "{\"b\":1,\"a\":{\"\":null,\"k:{\\\"type\\\":\\\"Ready\\\"}\":[\"/\"]}}",
                "\"\\u0000\\u001f\\u007f ä日\\ud83d\\ude00\"",
                "\"\\ud83d\""
            })
    void whatWasReadIsWrittenAgainWithoutALoss(String text) {
        assertThat(Json.text(Json.read(text))).isEqualTo(text);
    }

    @Test
    void spacesAndEscapesAreReadAsWhatTheyMean() {
        assertThat(Json.read(" { \"a\" :\t[ 1 ,\r\n\"\\u00e4\\/\\b\\f\\n\\r\\t\\\"\\\\\" ] } "))
                .isEqualTo(Map.of("a", List.of(new Json.Other("1"), "ä/\b\f\n\r\t\"\\")));
        assertThat(Json.read("\"\\ud83d\\ude00\"")).isEqualTo("😀");
    }

    @Test
    void anyValueComesThrough() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Object value = value(random, 4);
            assertThat(Json.read(Json.text(value))).as("seed " + seed).isEqualTo(value);
        }
    }

    private static Object value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 2 : 4)) {
            case 0 -> string(random);
            case 1 -> new Json.Other(List.of("1", "-1.5e-7", "true", "null").get(random.nextInt(4)));
            case 2 ->
                random.ints(random.nextInt(4))
                        .mapToObj(_ -> value(random, depth - 1))
                        .toList();
            default -> {
                Map<String, Object> members = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    members.put(string(random), value(random, depth - 1));
                }
                yield members;
            }
        };
    }

    private static String string(Random random) {
        StringBuilder out = new StringBuilder();
        random.ints(random.nextInt(6), 0, 0x300).forEach(c -> out.append((char) c));
        return out.append(random.nextBoolean() ? "😀" : "").toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "{", "[", "[1", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "'a'", "\"a",
                        "\"\\",
                "\"\\u12", "\"\\x\"", "\"\n\"", "01", "+1", "1.", ".5", "1e", "0x1", "NaN", "True", "nul", "1 2",
                        "{} {}",
                "١"
            })
    void everythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not JSON at character");
    }

    @Test
    void depthHasABound() {
        assertThat(Json.read("[".repeat(33) + "]".repeat(33))).isNotNull();
        assertThatThrownBy(() -> Json.read("[".repeat(34) + "]".repeat(34))).hasMessageContaining("depth");
        assertThatThrownBy(() -> Json.read("{\"a\":".repeat(1 << 18))).hasMessageContaining("depth");
    }

    @Test
    void onlyWhatIsJsonIsWritten() {
        assertThatThrownBy(() -> Json.text(Map.of("a", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Integer");
    }
}
