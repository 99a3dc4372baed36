package s3csi.testbed.bench.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import s3csi.testbed.contender.Contender;
import s3csi.testbed.contender.Texts;
import s3csi.testbed.contender.Wanted;

/** The figures for a reader: each job as it is done; or all of it as JSON at the end. */
final class Report {
    private final boolean json;
    private final List<String> sides = new ArrayList<>();
    private int rounds;

    Report(boolean json) {
        this.json = json;
    }

    void begin(int rounds, List<Contender> contenders, Wanted wanted, Path directory) {
        this.rounds = rounds;
        say(String.format(
                Locale.ROOT,
                "MinIO with its data in memory, %d cores, Linux %s",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.version")));
        say("Load of the machine before: " + Texts.firstLine(Path.of("/proc/loadavg")));
        say(String.format(
                Locale.ROOT,
                "Medians of %d rounds in turns, on engines that are warm: before them come one to three",
                rounds));
        say("unmeasured rounds on the same mount, the first of which is shown as cold.");
        say("");
        for (Contender contender : contenders) {
            String version = contender.version();
            String command = String.join(
                    " ",
                    contender.command(wanted, directory).stream()
                            .map(word -> word.equals(contender.program().toString())
                                    ? contender.program().getFileName().toString()
                                    : word)
                            .toList());
            sides.add("{\"name\": %s, \"version\": %s, \"command\": %s}"
                    .formatted(quoted(contender.label()), quoted(version), quoted(command)));
            say(String.format(Locale.ROOT, "%-11s %s", contender.label(), version));
            say(String.format(Locale.ROOT, "%-11s %s", "", command));
        }
        say("");
    }

    Outcome add(Outcome outcome) {
        boolean moves = outcome.work().gibibytes() > 0;
        say(String.format(Locale.ROOT, "%s: %s", outcome.name(), outcome.title()));
        say(String.format(
                Locale.ROOT,
                "  %-11s %12s %9s %12s %10s %11s",
                "",
                outcome.work().unit() + "/s",
                "wall",
                moves ? "CPU per GiB" : "CPU",
                "memory",
                "cold wall"));
        for (Contender contender : Contender.values()) {
            outcome.median(contender).ifPresent(median -> row(outcome, contender, median));
        }
        outcome.failures()
                .forEach((contender, why) ->
                        say(String.format(Locale.ROOT, "  %-11s FAILED: %s", contender.label(), why)));
        for (Bar bar : outcome.bars()) {
            say(String.format(Locale.ROOT, "  %-46s %s", bar.text(), verdict(bar, outcome)));
        }
        if (outcome.isPeerTooSlow()) {
            say("  THE SET-UP IS WRONG: Mountpoint is slower than a third of what it does on a small machine;");
            say("  nothing may be concluded. Is the machine busy, or MinIO's data not in memory?");
        }
        say("");
        return outcome;
    }

    private void row(Outcome outcome, Contender contender, Measurement median) {
        double gibibytes = outcome.work().gibibytes();
        say(String.format(
                Locale.ROOT,
                "  %-11s %12.1f %7.3f s %10.2f s %7.0f MB %9s s",
                contender.label(),
                outcome.work().amount() / median.seconds(),
                median.seconds(),
                gibibytes > 0 ? median.cpuSeconds() / gibibytes : median.cpuSeconds(),
                median.megabytes(),
                outcome.cold(contender)
                        .map(cold -> String.format(Locale.ROOT, "%.3f", cold.seconds()))
                        .orElse("-")));
    }

    private static String verdict(Bar bar, Outcome outcome) {
        return bar.value(outcome)
                .map(value -> String.format(Locale.ROOT, "%.2f  %s", value, bar.isHeldBy(value) ? "held" : "MISSED"))
                .orElse("not measured  MISSED");
    }

    void end(List<Outcome> outcomes) {
        long bars =
                outcomes.stream().mapToLong(outcome -> outcome.bars().size()).sum();
        long held = outcomes.stream()
                .mapToLong(outcome -> outcome.bars().stream()
                        .filter(bar -> bar.value(outcome).filter(bar::isHeldBy).isPresent())
                        .count())
                .sum();
        long failures = outcomes.stream()
                .mapToLong(outcome -> outcome.failures().size())
                .sum();
        say(String.format(Locale.ROOT, "%d of %d bars held, %d failures", held, bars, failures));
        if (json) {
            System.out.printf(
                    Locale.ROOT,
                    "{\"rounds\": %d, \"contenders\": [%s], \"jobs\": [%s], \"bars\": %d, \"held\": %d}%n",
                    rounds,
                    String.join(", ", sides),
                    String.join(", ", outcomes.stream().map(Report::json).toList()),
                    bars,
                    held);
        }
    }

    private static String json(Outcome outcome) {
        List<String> figures = new ArrayList<>();
        for (Contender contender : Contender.values()) {
            outcome.median(contender)
                    .ifPresent(median -> figures.add("%s: {\"warm\": %s, \"cold\": %s}"
                            .formatted(
                                    quoted(contender.label()),
                                    json(median),
                                    outcome.cold(contender).map(Report::json).orElse("null"))));
        }
        outcome.failures()
                .forEach((contender, why) ->
                        figures.add("%s: {\"failure\": %s}".formatted(quoted(contender.label()), quoted(why))));
        List<String> bars = outcome.bars().stream()
                .map(bar -> {
                    Optional<Double> value = bar.value(outcome);
                    return "{\"bar\": %s, \"value\": %s, \"held\": %s}"
                            .formatted(
                                    quoted(bar.text()),
                                    value.map(number -> String.format(Locale.ROOT, "%.3f", number))
                                            .orElse("null"),
                                    value.filter(bar::isHeldBy).isPresent());
                })
                .toList();
        return "{\"name\": %s, \"title\": %s, \"amount\": %s, \"unit\": %s, \"setUpIsWrong\": %s, \"figures\": {%s}, \"bars\": [%s]}"
                .formatted(
                        quoted(outcome.name()),
                        quoted(outcome.title()),
                        outcome.work().amount(),
                        quoted(outcome.work().unit()),
                        outcome.isPeerTooSlow(),
                        String.join(", ", figures),
                        String.join(", ", bars));
    }

    private static String json(Measurement measurement) {
        return String.format(
                Locale.ROOT,
                "{\"seconds\": %.4f, \"cpuSeconds\": %.2f, \"megabytes\": %.1f}",
                measurement.seconds(),
                measurement.cpuSeconds(),
                measurement.megabytes());
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < 0x20) {
                out.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }

    private void say(String line) {
        // With --json, nothing else may be printed there; people still see how far it is.
        (json ? System.err : System.out).println(line);
    }
}
