package s3csi.volume.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountMessageTest {
    private static MountMessage parse(String json) {
        return MountMessage.parse(json.getBytes(UTF_8));
    }

    @Test
    void isOneObjectOfThreeMembers() {
        MountMessage message =
                new MountMessage("data", List.of("--allow-root", "--prefix=a \"b\"\\/"), List.of("AWS_REGION=eu-1"));
        assertThat(new String(message.toBytes(), UTF_8))
                .isEqualTo("{\"bucketName\":\"data\",\"args\":[\"--allow-root\",\"--prefix=a \\\"b\\\"\\\\/\"],"
                        + "\"env\":[\"AWS_REGION=eu-1\"]}");
        assertThat(MountMessage.parse(message.toBytes())).isEqualTo(message);
    }

    @Test
    void anyTextComesThrough() {
        MountMessage message = new MountMessage("b", List.of("--prefix=日本/\u0001😀"), List.of());
        assertThat(MountMessage.parse(message.toBytes())).isEqualTo(message);
    }

    @Test
    void takesWhatOtherReleasesWrite() {
        assertThat(parse(" {\"volumeId\":\"v\", \"x\": [1, -2.5e3, true, null, {\"y\":{}}, []],\n\"env\":null,"
                        + "\"bucketName\":\"d\\u0061ta\\n\" , \"args\":[ ]} "))
                .isEqualTo(new MountMessage("data\n", List.of(), List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"bucketName\":\"\"}",
                "{\"bucketName\":1}",
                "{\"bucketName\":\"b\",\"args\":\"x\"}",
                "{\"bucketName\":\"b\",\"args\":[1]}",
                "{\"bucketName\":\"b\"",
                "{\"bucketName\":\"b\"}}",
                "{\"bucketName\":\"b\",}",
                "{bucketName:\"b\"}",
                "{\"bucketName\":\"b\\x\"}",
                "{\"bucketName\":\"b\\u12g4\"}",
                "{\"bucketName\":\"b\n\"}",
                "{\"bucketName\":\"b\",\"x\":tru}",
                "{\"bucketName\":\"b\",\"x\":01}"
            })
    void refusesEverythingElse(String json) {
        assertThatThrownBy(() -> parse(json)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhatIsNotText() {
        assertThatThrownBy(() -> MountMessage.parse(new byte[] {'{', (byte) 0xff, '}'}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aMessageOfBracketsDoesNotExhaustTheStack() {
        assertThatThrownBy(() -> parse("[".repeat(1 << 20))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void faultsAndTextFormShowNoValues() {
        assertThatThrownBy(() -> parse("{\"bucketName\":\"b\",\"env\":[\"K=canary\""))
                .hasMessageNotContaining("canary");
        assertThat(new MountMessage("b", List.of(), List.of("AWS_SECRET_ACCESS_KEY=canary")).toString())
                .doesNotContain("canary");
    }

    @Test
    void theEnvironmentIsByName() {
        assertThat(new MountMessage("b", List.of(), List.of("A=1", "B=x=y", "A=2", "nonsense", "=")).environment())
                .isEqualTo(Map.of("A", "2", "B", "x=y"));
    }
}
