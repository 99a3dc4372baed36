package s3csi.volume.mount;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The whole environment of an engine: it inherits nothing, so only what is put in here can reach it. Keys are never in it; they are in
 * files that can change while the engine runs.
 */
public final class EngineEnvironment {
    private final Map<String, String> variables = new TreeMap<>();

    /** Begins with the volume's own settings, which everything else takes precedence over. */
    public EngineEnvironment(Map<String, String> proxies) {
        proxies.forEach(this::put);
    }

    /** A variable without value is left out. */
    public EngineEnvironment put(String name, String value) {
        if (!value.isEmpty()) {
            variables.put(name, value);
        }
        return this;
    }

    public EngineEnvironment putAll(Map<String, String> more) {
        more.forEach(this::put);
        return this;
    }

    /** As {@code NAME=value}, sorted. */
    public List<String> lines() {
        return variables.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .sorted()
                .toList();
    }
}
