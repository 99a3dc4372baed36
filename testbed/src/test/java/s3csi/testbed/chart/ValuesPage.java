package s3csi.testbed.chart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;

/** The values of the chart as a page: what the schema says of each, and its default. */
final class ValuesPage {
    private static final Set<String> WHOLE = Set.of("resources", "initResources", "seLinuxOptions", "updateStrategy");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode schema;
    private final JsonNode defaults;

    ValuesPage(Path chart) {
        try {
            schema = JSON.readTree(Files.readString(chart.resolve("values.schema.json")));
            defaults = new YAMLMapper().readTree(Files.readString(chart.resolve("values.yaml")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the chart's values", e);
        }
    }

    /** Tables, one for each group of values and a first one for those that are in none. */
    String tables() {
        List<String> first = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        for (Entry<String, JsonNode> value : schema.path("properties").properties()) {
            if (isGroup(value.getKey(), value.getValue())) {
                List<String> rows = new ArrayList<>();
                rows(value.getKey(), value.getValue(), rows);
                groups.add("### `" + value.getKey() + "`\n\n" + description(value.getValue()) + "\n\n" + table(rows));
            } else {
                rows(value.getKey(), value.getValue(), first);
            }
        }
        return table(first) + "\n" + String.join("\n", groups);
    }

    private static String table(List<String> rows) {
        return "| Value | Default | Meaning |\n|---|---|---|\n" + String.join("", rows);
    }

    private void rows(String path, JsonNode described, List<String> rows) {
        for (Entry<String, JsonNode> value : described.path("properties").properties()) {
            String name = path + "." + value.getKey();
            if (isGroup(value.getKey(), value.getValue())) {
                rows(name, value.getValue(), rows);
            } else {
                rows.add(row(name, value.getValue()));
            }
        }
        if (!described.has("properties")) {
            rows.add(row(path, described));
        }
    }

    private String row(String path, JsonNode described) {
        return "| `%s` | %s | %s |\n".formatted(path, standard(path), description(described));
    }

    private static boolean isGroup(String name, JsonNode described) {
        return described.has("properties") && !WHOLE.contains(name);
    }

    private static String description(JsonNode described) {
        String text = described.path("description").asText();
        return described.has("enum") ? text + " " + alternatives(described.get("enum")) : text;
    }

    private static String alternatives(JsonNode words) {
        List<String> quoted = new ArrayList<>();
        words.forEach(word -> quoted.add("`" + word.asText() + "`"));
        return String.join(", ", quoted) + ".";
    }

    /** Nothing for a value that the chart only knows from earlier releases. */
    private String standard(String path) {
        JsonNode value = defaults.at("/" + path.replace('.', '/'));
        if (value.isMissingNode()) {
            return "";
        }
        try {
            return "`"
                    + (value.isTextual() && !value.asText().isEmpty() ? value.asText() : JSON.writeValueAsString(value))
                    + "`";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was read can be written", e);
        }
    }

    /** Paths that have a default and no description, or the other way round where the schema does not say why. */
    List<String> undescribed() {
        List<String> found = new ArrayList<>();
        compare("", schema, defaults, found);
        return found;
    }

    private static void compare(String path, JsonNode described, JsonNode value, List<String> found) {
        if (!path.isEmpty() && described.path("description").asText().isEmpty()) {
            found.add(path);
        }
        if (described.has("properties")) {
            for (Entry<String, JsonNode> child : value.properties()) {
                compare(
                        path + "." + child.getKey(),
                        described.path("properties").path(child.getKey()),
                        child.getValue(),
                        found);
            }
            described.path("properties").properties().forEach(child -> {
                if (child.getValue().path("description").asText().isEmpty()) {
                    found.add(path + "." + child.getKey());
                }
            });
        }
    }
}
