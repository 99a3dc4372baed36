package s3csi.testbed.provisioning;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** What the driver prints, read by a parser that nobody here wrote. */
final class JsonLines {
    private JsonLines() {}

    /** Each line as an object; a line that is none is an error. */
    static List<Map<String, String>> parse(String log) {
        return log.lines().map(JsonLines::object).toList();
    }

    static Map<String, String> object(String text) {
        try {
            Map<String, String> members = new HashMap<>();
            JsonNode.parser()
                    .parse(text)
                    .asObject()
                    .forEach((key, value) -> members.put(key, String.valueOf(value.text())));
            return members;
        } catch (RuntimeException failure) {
            throw new AssertionError("not a JSON object: " + text, failure);
        }
    }
}
