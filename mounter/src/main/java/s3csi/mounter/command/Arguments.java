package s3csi.mounter.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command line taken apart: which options were given with which text, and what stood beside them. */
record Arguments(Map<Option, List<String>> options, List<String> positionals) {
    boolean has(Option option) {
        return options.containsKey(option);
    }

    List<String> texts(Option option) {
        return options.getOrDefault(option, List.of());
    }

    Optional<String> text(Option option) {
        return texts(option).stream().findFirst();
    }
}
