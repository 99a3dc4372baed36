package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import s3csi.testbed.contender.Contender;

/**
 * The engine against Mountpoint's published crates and s3fs. Prints a table, or JSON with {@code --json}; ends with 1 when a bar
 * is missed, somebody failed, or the peer was so slow that the comparison is void.
 */
public final class EngineBenchmark {
    private EngineBenchmark() {}

    public static void main(String[] arguments) throws IOException {
        Choice choice = Choice.ofCommandLine(arguments);
        System.exit(run(choice, choice.jobs()) ? 0 : 1);
    }

    private static boolean run(Choice choice, List<Job> jobs) throws IOException {
        List<Outcome> outcomes = new ArrayList<>();
        Report report = new Report(choice.json());
        try (BenchStore plain = BenchStore.plain()) {
            report.begin(
                    choice.rounds(),
                    participants(choice, jobs),
                    plain.wanted(Medium.PLAIN, Optional.empty()),
                    Path.of("DIRECTORY"));
            for (Job job : jobs) {
                if (job.medium() != Medium.TLS) {
                    outcomes.add(report.add(measure(job, plain, choice)));
                }
            }
            if (choice.measuresStarts()) {
                outcomes.add(report.add(Starts.measure(plain, choice.chosenOf(Starts.CONTENDERS), choice.rounds())));
            }
        }
        if (jobs.stream().anyMatch(job -> job.medium() == Medium.TLS)) {
            try (BenchStore secure = BenchStore.withTls()) {
                for (Job job : jobs) {
                    if (job.medium() == Medium.TLS) {
                        outcomes.add(report.add(measure(job, secure, choice)));
                    }
                }
            }
        }
        report.end(outcomes);
        return outcomes.stream().allMatch(Outcome::isGood);
    }

    private static List<Contender> participants(Choice choice, List<Job> jobs) {
        Stream<Contender> ofJobs = jobs.stream().flatMap(job -> job.contenders().stream());
        Stream<Contender> ofStarts = choice.measuresStarts() ? Starts.CONTENDERS.stream() : Stream.empty();
        return choice.chosenOf(
                Stream.concat(ofJobs, ofStarts).distinct().sorted().toList());
    }

    private static Outcome measure(Job job, BenchStore store, Choice choice) throws IOException {
        return Rounds.of(job, store, choice.chosenOf(job.contenders()), choice.rounds());
    }
}
