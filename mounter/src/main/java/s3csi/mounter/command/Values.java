package s3csi.mounter.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import s3csi.filesystem.inode.TimeToLive;

/** The texts of options as values. */
final class Values {
    private static final long A_HUNDRED_YEARS = 100L * 365 * 24 * 60 * 60;
    /** The number after it, -1 in 32 bits, is no user for the kernel but means that there is none. */
    private static final long LARGEST_ID = 0xffff_fffeL;

    private final Arguments arguments;

    Values(Arguments arguments) {
        this.arguments = arguments;
    }

    boolean has(Option option) {
        return arguments.has(option);
    }

    Optional<String> text(Option option) {
        return arguments.text(option);
    }

    /** A text for which nothing is no value. */
    Optional<String> nonEmptyText(Option option) throws UsageError {
        Optional<String> text = text(option);
        if (text.isPresent() && text.get().isEmpty()) {
            throw new UsageError("a value is required for '" + option.usage() + "' but none was supplied");
        }
        return text;
    }

    /** All values of an option that may be repeated. */
    List<String> texts(Option option) {
        return arguments.texts(option);
    }

    /** A text that becomes part of a header of requests. */
    Optional<String> headerText(Option option) throws UsageError {
        Optional<String> text = text(option);
        if (text.isPresent() && !text.get().chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
            throw UsageError.badValue(option, text.get(), "only printable ASCII characters are allowed in a header");
        }
        return text;
    }

    Optional<Path> path(Option option) throws UsageError {
        return nonEmptyText(option).map(Path::of);
    }

    Optional<String> oneOf(Option option, List<String> choices) throws UsageError {
        Optional<String> text = text(option);
        if (text.isPresent() && !choices.contains(text.get())) {
            throw UsageError.badValue(option, text.get(), "[possible values: " + String.join(", ", choices) + "]");
        }
        return text;
    }

    OptionalLong number(Option option, long least, long most) throws UsageError {
        Optional<String> text = text(option);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(number(option, text.get(), least, most));
    }

    private static long number(Option option, String text, long least, long most) throws UsageError {
        long number;
        try {
            number = Long.parseLong(text);
        } catch (NumberFormatException _) {
            boolean isTooLarge = text.matches("\\d+");
            throw UsageError.badValue(
                    option, text, isTooLarge ? "number too large, the most is " + most : "a whole number is needed");
        }
        if (number < least || number > most) {
            throw UsageError.badValue(option, text, number + " is not in " + least + ".." + most);
        }
        return number;
    }

    int intNumber(Option option, int least, int most, int byDefault) throws UsageError {
        return (int) number(option, least, most).orElse(byDefault);
    }

    /** A user or group: an unsigned number of 32 bits, held in an int as the kernel does. */
    OptionalInt id(Option option) throws UsageError {
        OptionalLong id = number(option, 0, LARGEST_ID);
        return id.isPresent() ? OptionalInt.of((int) id.getAsLong()) : OptionalInt.empty();
    }

    int mode(Option option, int byDefault) throws UsageError {
        Optional<String> text = text(option);
        if (text.isEmpty()) {
            return byDefault;
        }
        int mode;
        try {
            mode = Integer.parseInt(text.get(), 8);
        } catch (NumberFormatException _) {
            throw UsageError.badValue(option, text.get(), "must be a valid octal number");
        }
        if (mode < 0 || mode > 0777) {
            throw UsageError.badValue(option, text.get(), "only user/group/other permissions are supported");
        }
        return mode;
    }

    Optional<TimeToLive> timeToLive(Option option) throws UsageError {
        Optional<String> text = text(option);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (text.get()) {
                    case "minimal" -> new TimeToLive.Minimal();
                    case "indefinite" -> new TimeToLive.Indefinite();
                    default -> seconds(option, text.get());
                });
    }

    private static TimeToLive seconds(Option option, String text) throws UsageError {
        if (!text.matches("\\d+")) {
            throw UsageError.badValue(option, text, "a number of seconds, 'indefinite' or 'minimal' is needed");
        }
        if (text.length() > 18 || Long.parseLong(text) > A_HUNDRED_YEARS) {
            throw UsageError.badValue(
                    option, text, "it exceeds the maximum of " + A_HUNDRED_YEARS + " seconds; use 'indefinite'");
        }
        long seconds = Long.parseLong(text);
        return seconds == 0 ? new TimeToLive.Minimal() : new TimeToLive.For(Duration.ofSeconds(seconds));
    }
}
