package s3csi.testbed.differential;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import s3csi.testbed.contender.Bounded;
import s3csi.testbed.contender.EngineMount;

/** Plays sequences on two mounts, each in a directory of its own that both sides name alike. */
final class Comparison {
    private static final Duration STEP = Duration.ofSeconds(60);
    private static final Duration SETTLED = Duration.ofSeconds(5);
    private static final long BETWEEN_LOOKS = 50_000_000;

    private final TwoBuckets buckets;
    private final EngineMount ours;
    private final EngineMount theirs;
    private final Differences differences;
    private int played;

    Comparison(TwoBuckets buckets, EngineMount ours, EngineMount theirs, Differences differences) {
        this.buckets = buckets;
        this.ours = ours;
        this.theirs = theirs;
        this.differences = differences;
    }

    /** What a sequence came to. */
    sealed interface Verdict {
        record Same() implements Verdict {}

        /** They differ as the document says. */
        record Known(Divergence divergence) implements Verdict {}

        record Different(Divergence divergence) implements Verdict {}
    }

    Verdict play(List<Action> actions) {
        String directory = "run-" + played++;
        buckets.fill(directory);
        Side left = new Side(ours.directory().resolve(directory));
        Side right = new Side(theirs.directory().resolve(directory));
        Optional<Divergence> allowed = Optional.empty();
        try {
            for (int step = 0; step < actions.size(); step++) {
                Action action = actions.get(step);
                Optional<Divergence> divergence = compare(
                        step, action.verb(), action.toString(), on(ours, left, action), on(theirs, right, action));
                if (divergence.isPresent()) {
                    if (!differences.allow(divergence.get())) {
                        return new Verdict.Different(divergence.get());
                    }
                    allowed = divergence;
                    if (!divergence.get().leavesNoTrace()) {
                        return new Verdict.Known(divergence.get());
                    }
                }
            }
            Optional<Divergence> end = compareEnd(actions.size(), directory, left, right);
            if (end.isPresent() && !differences.allow(end.get())) {
                return new Verdict.Different(end.get());
            }
            return allowed.or(() -> end).<Verdict>map(Verdict.Known::new).orElseGet(Verdict.Same::new);
        } finally {
            closeAll(ours, left);
            closeAll(theirs, right);
        }
    }

    /** With everything closed, the stores must hold the same. */
    private Optional<Divergence> compareEnd(int step, String directory, Side left, Side right) {
        String closedHere = closeAll(ours, left);
        String closedThere = closeAll(theirs, right);
        Optional<Divergence> closing =
                compare(step, "close-all", "closing all files", Result.ok(closedHere), Result.ok(closedThere));
        return closing.isPresent() ? closing : compareStores(step, directory);
    }

    /** A close does not wait for what only the last use of a file completes, so the stores get some time to become alike. */
    private Optional<Divergence> compareStores(int step, String directory) {
        long end = System.nanoTime() + SETTLED.toNanos();
        while (true) {
            Optional<Divergence> divergence = compare(
                    step,
                    "store",
                    "looking into the store",
                    Result.ok(buckets.ours(directory)),
                    Result.ok(buckets.theirs(directory)));
            if (divergence.isEmpty() || System.nanoTime() - end >= 0) {
                return divergence;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    private static Result on(EngineMount mount, Side side, Action action) {
        return Bounded.run(STEP, mount::kill, action.verb(), () -> side.perform(action));
    }

    private static String closeAll(EngineMount mount, Side side) {
        List<Result> results = Bounded.run(STEP, mount::kill, "close", side::closeAll);
        return results.toString();
    }

    private static Optional<Divergence> compare(int step, String verb, String action, Result ours, Result theirs) {
        return ours.equals(theirs) ? Optional.empty() : Optional.of(new Divergence(step, verb, action, ours, theirs));
    }

    /** Leaves out every action without which the sides still part in the same way. */
    List<Action> shortened(List<Action> actions, Divergence divergence) {
        List<Action> shorter = new ArrayList<>(actions.subList(0, Math.min(actions.size(), divergence.step() + 1)));
        for (int candidate = shorter.size() - 2; candidate >= 0; candidate--) {
            List<Action> without = new ArrayList<>(shorter);
            without.remove(candidate);
            if (play(without) instanceof Verdict.Different(Divergence found)
                    && found.key().equals(divergence.key())) {
                shorter = without;
            }
        }
        return shorter;
    }
}
