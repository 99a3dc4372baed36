package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import s3csi.testbed.contender.Bounded;
import s3csi.testbed.contender.Contender;
import s3csi.testbed.contender.EngineMount;

/** Runs a job: every contender with a mount of its own, all in turns, so that what disturbs the machine disturbs them alike. */
final class Rounds {
    private static final Duration TURN = Duration.ofMinutes(2);

    private final BenchStore store;
    private final Job job;
    private final int rounds;
    private final Outcome outcome;

    private Rounds(BenchStore store, Job job, Outcome outcome, int rounds) {
        this.store = store;
        this.job = job;
        this.outcome = outcome;
        this.rounds = rounds;
    }

    static Outcome of(Job job, BenchStore store, List<Contender> contenders, int rounds) throws IOException {
        Outcome outcome = Outcome.of(job, contenders);
        job.prepare(store, rounds + job.warmUps());
        new Rounds(store, job, outcome, rounds).run(contenders);
        return outcome;
    }

    private void run(List<Contender> contenders) {
        List<EngineMount> mounts = new ArrayList<>();
        try {
            for (Contender contender : contenders) {
                mount(contender, mounts);
            }
            for (int round = 0; round < job.warmUps() + rounds; round++) {
                for (EngineMount mount : mounts) {
                    if (!outcome.failures().containsKey(mount.contender())) {
                        turn(mount, round);
                    }
                }
                // Nobody is always first.
                Collections.rotate(mounts, 1);
            }
        } finally {
            mounts.forEach(EngineMount::close);
        }
    }

    private void mount(Contender contender, List<EngineMount> mounts) {
        try {
            mounts.add(EngineMount.of(contender, store.wanted(job.medium(), job.metadataTtl())));
        } catch (RuntimeException failure) {
            outcome.failed(contender, String.valueOf(failure.getMessage()));
        }
    }

    private void turn(EngineMount mount, int round) {
        Turn turn = new Turn(mount.directory(), mount.contender(), round);
        try {
            Measurement measured = Bounded.run(TURN, mount::kill, job.name(), () -> measure(turn, mount));
            if (round == 0) {
                outcome.cold(mount.contender(), measured);
            } else if (round >= job.warmUps()) {
                outcome.warm(mount.contender(), measured);
            }
        } catch (RuntimeException failure) {
            outcome.failed(mount.contender(), mount.story(String.valueOf(failure.getMessage())));
        }
    }

    private Measurement measure(Turn turn, EngineMount mount) throws IOException {
        ProcessUse use = ProcessUse.of(mount.pid());
        job.before(turn);
        use.resetPeak();
        double cpu = use.cpuSeconds();
        long started = System.nanoTime();
        job.run(turn);
        double seconds = (System.nanoTime() - started) / 1e9;
        Measurement measured = new Measurement(seconds, use.cpuSeconds() - cpu, use.peakMegabytes());
        job.check(turn, store);
        return measured;
    }
}
