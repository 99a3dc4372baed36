package s3csi.volume.mount;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The whole environment of an engine: it inherits nothing, so only what is put in here can reach it. Keys are never in it; they are in
 * files that can change while the engine runs.
 */
public record EngineEnvironment(Map<String, String> variables) {
    /** Names a directory of the volume's own, in which its engines note the uploads that they begin. */
    public static final String UPLOAD_NOTES = "S3CSI_UPLOAD_NOTES";

    /** A variable without value is left out. */
    public EngineEnvironment {
        Map<String, String> told = new TreeMap<>(variables);
        told.values().removeIf(String::isEmpty);
        variables = Collections.unmodifiableMap(told);
    }

    EngineEnvironment with(String name, String value) {
        return with(Map.of(name, value));
    }

    /** What is added takes precedence over what was there, unless it is empty. */
    EngineEnvironment with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(variables);
        new EngineEnvironment(more).variables.forEach(all::put);
        return new EngineEnvironment(all);
    }

    /** As {@code NAME=value}, sorted. */
    public List<String> lines() {
        return variables.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .sorted()
                .toList();
    }
}
