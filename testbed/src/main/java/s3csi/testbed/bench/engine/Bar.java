package s3csi.testbed.bench.engine;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import s3csi.testbed.contender.Contender;

/** What must hold of a job's figures. */
sealed interface Bar {
    Quantity quantity();

    /** Who must have figures. */
    Set<Contender> contenders();

    /** The value that the bar is about; nothing where somebody has no figures. */
    Optional<Double> value(Outcome outcome);

    boolean isHeldBy(double value);

    /** As in: speed ours/mountpoint at least 1.10. */
    String text();

    /** One contender against another, in the same run. */
    record Ratio(Quantity quantity, Contender of, Contender against, double limit) implements Bar {
        @Override
        public Set<Contender> contenders() {
            return EnumSet.of(of, against);
        }

        @Override
        public Optional<Double> value(Outcome outcome) {
            return outcome.median(of)
                    .flatMap(mine -> outcome.median(against).map(theirs -> quantity.of(mine) / quantity.of(theirs)));
        }

        @Override
        public boolean isHeldBy(double value) {
            return quantity.moreIsBetter() ? value >= limit : value <= limit;
        }

        @Override
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%s %s/%s at %s %.2f",
                    quantity.label(),
                    of.label(),
                    against.label(),
                    quantity.moreIsBetter() ? "least" : "most",
                    limit);
        }
    }

    /** A figure by itself. */
    record AtMost(Quantity quantity, Contender of, double limit) implements Bar {
        @Override
        public Set<Contender> contenders() {
            return EnumSet.of(of);
        }

        @Override
        public Optional<Double> value(Outcome outcome) {
            return outcome.median(of).map(quantity::of);
        }

        @Override
        public boolean isHeldBy(double value) {
            return value <= limit;
        }

        @Override
        public String text() {
            return String.format(Locale.ROOT, "%s of %s at most %.1f", quantity.label(), of.label(), limit);
        }
    }

    static Bar faster(double times) {
        return new Ratio(Quantity.SPEED, Contender.OURS, Contender.MOUNTPOINT, times);
    }

    static Bar cpu(double times) {
        return new Ratio(Quantity.CPU, Contender.OURS, Contender.MOUNTPOINT, times);
    }

    static Bar memory(double times) {
        return new Ratio(Quantity.MEMORY, Contender.OURS, Contender.MOUNTPOINT, times);
    }

    static List<Bar> all(Bar... bars) {
        return List.of(bars);
    }
}
