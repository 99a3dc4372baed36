package s3csi.testbed.bench;

import java.util.List;
import java.util.Locale;

/** A figure of a table, with a bar that it must hold, or without. */
record Figure(String name, String unit, double value, Limit bar) {
    /** What is asked of a figure. */
    sealed interface Limit {
        record None() implements Limit {}

        record AtMost(double most) implements Limit {}

        record AtLeast(double least) implements Limit {}
    }

    static Figure of(String name, String unit, double value) {
        return new Figure(name, unit, value, new Limit.None());
    }

    static Figure atMost(String name, String unit, double value, double limit) {
        return new Figure(name, unit, value, new Limit.AtMost(limit));
    }

    static Figure atLeast(String name, String unit, double value, double limit) {
        return new Figure(name, unit, value, new Limit.AtLeast(limit));
    }

    /** A table, or JSON where the arguments have {@code --json}. */
    static void print(List<Figure> figures, String title, String... arguments) {
        if (List.of(arguments).contains("--json")) {
            System.out.println(
                    "[" + String.join(",\n ", figures.stream().map(Figure::json).toList()) + "]");
        } else {
            System.out.printf(
                    Locale.ROOT, "%s, %d cores%n", title, Runtime.getRuntime().availableProcessors());
            figures.forEach(figure -> System.out.println(figure.row()));
        }
    }

    boolean isHeld() {
        return switch (bar) {
            case Limit.None() -> true;
            case Limit.AtMost(double limit) -> value <= limit;
            case Limit.AtLeast(double limit) -> value >= limit;
        };
    }

    private String row() {
        String verdict = isHeld() ? "held" : "MISSED";
        String asked = switch (bar) {
            case Limit.None() -> "";
            case Limit.AtMost(double limit) -> "at most " + number(limit) + ": " + verdict;
            case Limit.AtLeast(double limit) -> "at least " + number(limit) + ": " + verdict;
        };
        return String.format(Locale.ROOT, "  %-66s %9.2f %-3s %s", name, value, unit, asked);
    }

    private String json() {
        String limit = switch (bar) {
            case Limit.None() -> "null";
            case Limit.AtMost(double most) -> number(most);
            case Limit.AtLeast(double least) -> number(least);
        };
        return String.format(
                Locale.ROOT,
                "{\"name\": \"%s\", \"unit\": \"%s\", \"value\": %.3f, \"bar\": %s, \"held\": %s}",
                name,
                unit,
                value,
                limit,
                isHeld());
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
