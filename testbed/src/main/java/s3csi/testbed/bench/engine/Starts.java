package s3csi.testbed.bench.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.contender.Contender;
import s3csi.testbed.contender.EngineMount;

/** How long it takes to mount a bucket, and what a mount costs that nobody uses. */
final class Starts {
    static final String NAME = "start";

    static final List<Contender> CONTENDERS = List.of(Contender.OURS, Contender.MOUNTPOINT, Contender.S3FS);

    private static final Duration IDLE_WITHIN = Duration.ofSeconds(20);

    private Starts() {}

    static Outcome measure(BenchStore store, List<Contender> contenders, int rounds) {
        Outcome outcome = new Outcome(
                NAME,
                "start to the first answer; CPU and resident memory of an idle mount",
                new Work(1, "mounts"),
                contenders.contains(Contender.OURS)
                        ? Bar.all(
                                new Bar.AtMost(Quantity.SECONDS, Contender.OURS, 0.3),
                                new Bar.AtMost(Quantity.MEMORY, Contender.OURS, 64))
                        : List.of(),
                Optional.empty());
        // The first start reads programs from disk.
        for (int round = -1; round < rounds; round++) {
            for (Contender contender : contenders) {
                if (outcome.failures().containsKey(contender)) {
                    continue;
                }
                try (EngineMount mount = EngineMount.of(contender, store.wanted(Medium.PLAIN, Optional.empty()))) {
                    ProcessUse use = ProcessUse.of(mount.pid());
                    awaitIdle(use);
                    Measurement measured =
                            new Measurement(mount.startSeconds(), use.cpuSeconds(), use.residentMegabytes());
                    if (round < 0) {
                        outcome.cold(contender, measured);
                    } else {
                        outcome.warm(contender, measured);
                    }
                } catch (RuntimeException failure) {
                    outcome.failed(contender, String.valueOf(failure.getMessage()));
                }
            }
        }
        return outcome;
    }

    /** Idle means that memory no longer grows. */
    private static void awaitIdle(ProcessUse use) {
        double[] last = {0};
        int[] unchanged = {0};
        Await.until(IDLE_WITHIN, () -> "memory still grows", () -> {
            double now = use.residentMegabytes();
            unchanged[0] = now <= last[0] ? unchanged[0] + 1 : 0;
            last[0] = now;
            return unchanged[0] >= 10;
        });
    }
}
