package s3csi.testbed.differential;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import s3csi.linux.Processes;
import s3csi.testbed.contender.Contender;
import s3csi.testbed.contender.EngineMount;

/**
 * Compares two contenders: {@code Differential OURS THEIRS DOCUMENT FIRST-SEED SEQUENCES}. Ends with 1 at a difference that the
 * document does not have.
 */
public final class Differential {
    private static final int LENGTH = 40;

    private Differential() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 5) {
            System.err.println("usage: Differential OURS THEIRS DOCUMENT FIRST-SEED SEQUENCES");
            System.exit(2);
        }
        if (Processes.effectiveUserId() != 0) {
            System.err.println("s3csi: the differential test mounts file systems: run it as root");
            System.exit(1);
        }
        boolean same = run(
                Contender.named(arguments[0]),
                Contender.named(arguments[1]),
                Differences.in(Path.of(arguments[2])),
                Long.parseLong(arguments[3]),
                Integer.parseInt(arguments[4]));
        System.exit(same ? 0 : 1);
    }

    private static boolean run(Contender ours, Contender theirs, Differences differences, long first, int sequences) {
        Map<String, Integer> known = new TreeMap<>();
        Map<String, String> unknown = new TreeMap<>();
        int same = 0;
        try (TwoBuckets buckets = new TwoBuckets();
                EngineMount left = EngineMount.of(ours, buckets.wantedOurs());
                EngineMount right = EngineMount.of(theirs, buckets.wantedTheirs())) {
            Comparison comparison = new Comparison(buckets, left, right, differences);
            for (long seed = first; seed < first + sequences; seed++) {
                List<Action> actions = Script.of(seed, LENGTH);
                switch (comparison.play(actions)) {
                    case Comparison.Verdict.Same() -> same++;
                    case Comparison.Verdict.Known(Divergence divergence) ->
                        known.merge(divergence.key(), 1, Integer::sum);
                    case Comparison.Verdict.Different(Divergence divergence) -> {
                        if (!unknown.containsKey(divergence.key())) {
                            unknown.put(divergence.key(), story(seed, comparison, actions, divergence));
                        }
                    }
                }
            }
        }
        known.forEach((key, count) -> System.out.printf("  known: %s, %d times%n", key, count));
        unknown.values().forEach(System.out::println);
        System.out.printf(
                "%s against %s: %d sequences of %d actions from seed %d: %d the same, %d with known differences, %d kinds of"
                        + " unknown ones%n",
                ours.label(),
                theirs.label(),
                sequences,
                LENGTH,
                first,
                same,
                known.values().stream().mapToInt(Integer::intValue).sum(),
                unknown.size());
        return unknown.isEmpty();
    }

    private static String story(long seed, Comparison comparison, List<Action> actions, Divergence divergence) {
        StringBuilder story =
                new StringBuilder("  DIFFERENT %s, seed %d, %s%n    ours: %s%n    theirs: %s%n    after:%n"
                        .formatted(
                                divergence.key(), seed, divergence.action(), divergence.ours(), divergence.theirs()));
        comparison
                .shortened(actions, divergence)
                .forEach(action -> story.append("      ").append(action).append('\n'));
        return story.toString();
    }
}
