package s3csi.mounter.config;

import java.util.Map;
import java.util.Optional;

/** The environment that a mount was asked for with. It may hold secrets, so it never shows its values. */
public record Environment(Map<String, String> variables) {
    public Environment {
        variables = Map.copyOf(variables);
    }

    /** A variable that is set and not empty. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    @Override
    public String toString() {
        return "Environment of " + variables.size() + " variables";
    }
}
