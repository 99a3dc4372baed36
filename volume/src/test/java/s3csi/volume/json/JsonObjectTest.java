package s3csi.volume.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonObjectTest {
    private static final String TEXT = """
            {"metadata":{"name":"a","labels":{"x":"1","y":2,"z":null}},"code":410,"ready":true,"nothing":null,"items":[{"n":1},"no object",{}]}""";

    private final JsonObject object = JsonObject.parse(TEXT);

    @Test
    void partsAreFoundByTheirPath() {
        assertThat(object.text("metadata", "name")).isEqualTo("a");
        assertThat(object.text("code")).isEqualTo("410");
        assertThat(object.text("ready")).isEqualTo("true");
        assertThat(object.object("metadata", "labels").text("y")).isEqualTo("2");
        assertThat(object.texts("metadata", "labels")).isEqualTo(Map.of("x", "1"));
        assertThat(object.objects("items")).hasSize(3);
        assertThat(object.objects("items").getFirst().text("n")).isEqualTo("1");
        assertThat(object.objects("items").get(1).members()).isEmpty();
        assertThat(object.has("metadata", "labels")).isTrue();
        assertThat(object.text()).isEmpty();
    }

    @Test
    void whatIsMissingOrOfAnotherKindIsEmpty() {
        assertThat(object.text("nothing")).isEmpty();
        assertThat(object.text("absent", "deeper")).isEmpty();
        assertThat(object.text("metadata")).isEmpty();
        assertThat(object.text("code", "deeper")).isEmpty();
        assertThat(object.text("items", "n")).isEmpty();
        assertThat(object.object("code").members()).isEmpty();
        assertThat(object.object("absent").objects("x")).isEmpty();
        assertThat(object.objects("metadata")).isEmpty();
        assertThat(object.texts("code")).isEmpty();
        assertThat(object.has("absent")).isFalse();
        assertThat(object.has("metadata", "absent")).isFalse();
    }

    @Test
    void aMemberThatIsNullIsNotThere() {
        assertThat(object.has("nothing")).isFalse();
        assertThat(object.has("metadata", "labels", "z")).isFalse();
    }

    @Test
    void theTextOfAllOfItIsWhatWasRead() {
        assertThat(object).hasToString(TEXT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "1", "\"x\"", "null"})
    void whatIsNoObjectIsAnEmptyOne(String text) {
        assertThat(JsonObject.parse(text).members()).isEmpty();
    }

    @Test
    void whatIsNoJsonIsRefused() {
        for (String text : List.of("", "{", "{\"a\":1}x")) {
            assertThatThrownBy(() -> JsonObject.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
