package s3csi.mounter.node;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import s3csi.mounter.command.UsageError;
import s3csi.program.Release;
import s3csi.volume.mount.PodPaths;

/** What a command line of the mounter asks for. Flags are written as Go programs have them, because the mounter of 2.x is one. */
sealed interface MounterCommand {
    /** Print this and end. */
    record Print(String text) implements MounterCommand {}

    /**
     * Wait for a mount.
     *
     * @param patience after which the log says that none came
     */
    record Run(Path comm, Duration patience) implements MounterCommand {}

    Run DEFAULT = new Run(Path.of(PodPaths.COMM), Duration.ofMinutes(2));

    String HELP = """
            Serves one S3 volume: waits in a directory for a node service that hands over a mounted FUSE device.

            Usage: scality-s3-csi-mounter [FLAGS]

              --comm-dir DIRECTORY                where to wait: mount.sock, mount.err and mount.exit are there
                                                  (default /comm)
              --mount-sock-recv-timeout DURATION  how long to wait for a mount before the log says that none
                                                  came, like 90s or 2m; the waiting goes on (default 2m)
              --mountpoint-bin-dir DIRECTORY      accepted for command lines of 2.x, without effect: the engine
                                                  is inside this program
              --help                              show this text
              --version                           show the version as JSON

            Exit codes: 0 when mount.exit is there, 1 when it should run again, 2 for a wrong command line,
            143 when told to stop by a signal before a mount came.
            """;

    Pattern DURATION_PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)");

    static MounterCommand parse(List<String> arguments) throws UsageError {
        Run run = DEFAULT;
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            String flag = word.replaceFirst("^--?", "");
            int equals = flag.indexOf('=');
            String name = equals < 0 ? flag : flag.substring(0, equals);
            if (word.equals(flag)) {
                throw new UsageError("unexpected argument '" + word + "'; --help shows the flags");
            }
            switch (name) {
                case "help", "h" -> {
                    return new Print(HELP);
                }
                case "version" -> {
                    return new Print(Release.current().toJson() + "\n");
                }
                case "comm-dir", "mount-sock-recv-timeout", "mountpoint-bin-dir" -> {
                    if (equals < 0 && i + 1 == arguments.size()) {
                        throw new UsageError("the flag '" + word + "' needs a value");
                    }
                    String value = equals < 0 ? arguments.get(++i) : flag.substring(equals + 1);
                    run = with(run, name, value);
                }
                default -> throw new UsageError("there is no flag '" + word + "'; --help shows the flags");
            }
        }
        return run;
    }

    private static Run with(Run run, String name, String value) throws UsageError {
        return switch (name) {
            case "comm-dir" -> {
                if (value.isEmpty()) {
                    throw new UsageError("--comm-dir needs the path of a directory");
                }
                yield new Run(Path.of(value), run.patience());
            }
            case "mount-sock-recv-timeout" -> new Run(run.comm(), duration(name, value));
            default -> run;
        };
    }

    private static Duration duration(String name, String text) throws UsageError {
        Matcher part = DURATION_PART.matcher(text);
        BigDecimal sum = BigDecimal.ZERO;
        int end = 0;
        while (end < text.length() && part.find(end) && part.start() == end) {
            sum = sum.add(new BigDecimal(part.group(1)).multiply(unit(part.group(2))));
            end = part.end();
        }
        if (end < text.length() || sum.signum() <= 0) {
            throw new UsageError("'" + text + "' is no time for --" + name + "; write it like 90s or 2m");
        }
        return Duration.ofNanos(sum.longValue());
    }

    private static BigDecimal unit(String name) {
        ChronoUnit unit = switch (name) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            default -> ChronoUnit.HOURS;
        };
        return BigDecimal.valueOf(unit.getDuration().toNanos());
    }
}
