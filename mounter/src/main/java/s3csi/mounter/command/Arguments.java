package s3csi.mounter.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command line taken apart: which options were given with which text, and what stood beside them. */
record Arguments(Map<Option, List<String>> options, List<String> positionals) {
    boolean has(Option option) {
        return options.containsKey(option);
    }

    Optional<String> text(Option option) {
        return Optional.ofNullable(options.get(option)).map(List::getFirst);
    }
}
