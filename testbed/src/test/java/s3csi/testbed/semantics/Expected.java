package s3csi.testbed.semantics;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a command is expected to print: lines, in which three dots stand for whatever differs from run to run. */
record Expected(List<String> lines) {
    private static final String ANYTHING = "...";

    boolean fits(List<String> printed) {
        if (printed.size() != lines.size()) {
            return false;
        }
        for (int i = 0; i < lines.size(); i++) {
            if (!fits(lines.get(i), printed.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(String expected, String printed) {
        String pattern = Arrays.stream(expected.split(Pattern.quote(ANYTHING), -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".+"));
        return Pattern.matches(pattern, printed);
    }
}
