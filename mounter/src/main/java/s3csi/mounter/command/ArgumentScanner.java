package s3csi.mounter.command;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Takes a command line apart. Help and version end the scan where they stand, so they work whatever follows. */
final class ArgumentScanner {
    private final List<String> words;
    private final Map<Option, List<String>> options = new EnumMap<>(Option.class);
    private final List<String> positionals = new ArrayList<>();
    private int next;

    private ArgumentScanner(List<String> words) {
        this.words = words;
    }

    static Arguments scan(List<String> words) throws UsageError {
        return new ArgumentScanner(words).run();
    }

    private Arguments run() throws UsageError {
        boolean optionsMayFollow = true;
        while (next < words.size() && !options.containsKey(Option.HELP) && !options.containsKey(Option.VERSION)) {
            String word = words.get(next++);
            if (!optionsMayFollow || !looksLikeOption(word)) {
                positional(word);
            } else if (word.equals("--")) {
                optionsMayFollow = false;
            } else if (word.startsWith("--")) {
                longOption(word.substring(2));
            } else {
                letters(word.substring(1));
            }
        }
        return new Arguments(options, positionals);
    }

    /** A lone dash is a name like any other. */
    private static boolean looksLikeOption(String word) {
        return word.length() > 1 && word.startsWith("-");
    }

    private void positional(String word) throws UsageError {
        if (positionals.size() == 2) {
            throw new UsageError("unexpected argument '" + word + "' found");
        }
        positionals.add(word);
    }

    private void longOption(String word) throws UsageError {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Option option = Option.named(name).orElseThrow(() -> unknown(name));
        if (option.takesValue()) {
            add(option, equals < 0 ? valueOf(option) : word.substring(equals + 1));
        } else if (equals < 0) {
            add(option, "");
        } else {
            throw new UsageError("unexpected value '" + word.substring(equals + 1) + "' for '--" + name
                    + "' found; no more were expected");
        }
    }

    /** Several letters may share a dash; the first that takes a value takes the rest of the word. */
    private void letters(String letters) throws UsageError {
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            Option option = Option.ofLetter(letter)
                    .orElseThrow(() -> new UsageError("unexpected argument '-" + letter + "' found"));
            if (option.takesValue()) {
                String rest = letters.substring(i + 1);
                add(option, rest.isEmpty() ? valueOf(option) : rest.startsWith("=") ? rest.substring(1) : rest);
                return;
            }
            add(option, "");
        }
    }

    private String valueOf(Option option) throws UsageError {
        if (next == words.size() || looksLikeOption(words.get(next))) {
            throw new UsageError("a value is required for '" + option.usage() + "' but none was supplied");
        }
        return words.get(next++);
    }

    private void add(Option option, String value) throws UsageError {
        if (options.containsKey(option) && !option.mayRepeat()) {
            throw new UsageError("the argument '" + option.usage() + "' cannot be used multiple times");
        }
        options.computeIfAbsent(option, _ -> new ArrayList<>()).add(value);
    }

    static UsageError unknown(String name) {
        return new UsageError(
                "unexpected argument '--" + name + "' found",
                NearestName.to(name, Option.longNames())
                        .map(near -> "a similar argument exists: '--" + near + "'")
                        .orElse(""));
    }
}
