package s3csi.testbed.demo;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/** Tells what happens, one numbered line a step, with the time the step took. */
final class Story {
    private final PrintStream out;
    private final long started = System.nanoTime();
    private int steps;

    Story(PrintStream out) {
        this.out = out;
    }

    <T> T step(Supplier<T> work, Function<T, String> line) {
        long before = System.nanoTime();
        T result = work.get();
        String text = line.apply(result);
        out.printf(Locale.ROOT, "  %2d. %s (%s)%n", ++steps, text, seconds(System.nanoTime() - before));
        return result;
    }

    void end(String moral) {
        out.printf(Locale.ROOT, "done: %d steps in %s; %s%n", steps, seconds(System.nanoTime() - started), moral);
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }
}
