package s3csi.testbed.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.bench.engine.ProcessUse;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.cluster.ControllerProgram;
import s3csi.testbed.cluster.SimulatedCluster;
import s3csi.testbed.cluster.SimulatedCluster.Size;

/**
 * What a large cluster costs the controller: it starts where ten thousand pods are, a thousand of them waiting for a volume; all are served, run,
 * end, and are cleaned up after. The same with half of everything. Prints a table, or JSON with {@code --json}; ends with 1 when a bar is missed.
 */
public final class ControlBenchmark {
    private static final Size LARGE = new Size(10_000, 1000, 500, 200);
    private static final Size HALF = new Size(5000, 500, 250, 100);
    private static final Size SMALL = new Size(100, 10, 10, 5);
    private static final Duration WITHIN = Duration.ofMinutes(5);
    private static final Pattern FAILED = Pattern.compile("s3csi_reconciles_total\\{outcome=\"failed\"} (\\S+)");

    private ControlBenchmark() {}

    /** One life of a cluster. */
    private record Life(
            double servedSeconds,
            double endedSeconds,
            double eventsPerSecond,
            double cpuSeconds,
            double peakMegabytes,
            double idleMegabytes,
            double failures) {}

    public static void main(String[] arguments) {
        Life small = live(SMALL);
        Life half = live(HALF);
        Life large = live(LARGE);
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.of("from the controller's start until all are served", "s", large.servedSeconds()));
        figures.add(Figure.of("from the end of all workloads until nothing is left", "s", large.endedSeconds()));
        figures.add(Figure.atLeast("changes of pods and attachments, in a second", "", large.eventsPerSecond(), 100));
        figures.add(Figure.atMost("reconciles that failed", "", large.failures(), 0));
        figures.add(Figure.atMost("resident memory, at most", "MB", large.peakMegabytes(), 256));
        figures.add(Figure.of("resident memory afterwards", "MB", large.idleMegabytes()));
        figures.add(Figure.of("CPU for all of this", "s", large.cpuSeconds()));
        figures.add(Figure.of("CPU for half of everything", "s", half.cpuSeconds()));
        figures.add(Figure.atMost(
                "CPU for all, in terms of that for half", "", large.cpuSeconds() / half.cpuSeconds(), 2.5));
        figures.add(Figure.atMost("resident memory with 100 pods", "MB", small.idleMegabytes(), 128));
        Figure.print(
                figures,
                "a controller as built, a real API server, %d pods, %d workloads with volumes on %d simulated nodes"
                        .formatted(LARGE.pods(), LARGE.workloads(), LARGE.nodes()),
                arguments);
        System.exit(figures.stream().allMatch(Figure::isHeld) ? 0 : 1);
    }

    private static Life live(Size size) {
        Path directory = Scratch.directory("control");
        try (ControlPlane plane = ControlPlane.start();
                SimulatedCluster cluster = new SimulatedCluster(plane.client(), size)) {
            long eventsBefore = cluster.events();
            long started = System.nanoTime();
            try (ControllerProgram controller = ControllerProgram.start(plane.kubeconfig(), directory, "controller")) {
                await("all are served", () -> cluster.listed() == size.workloads());
                double served = seconds(started);
                await("all run", () -> cluster.running() == size.workloads());
                long ends = System.nanoTime();
                cluster.endWorkloads();
                await("nothing is left", () -> cluster.listed() == 0 && cluster.mountpointPods() == 0);
                double ended = seconds(ends);
                double events = (cluster.events() - eventsBefore) / seconds(started);
                ProcessUse use = ProcessUse.of(controller.process().pid());
                double idle = idle(use);
                return new Life(
                        served, ended, events, use.cpuSeconds(), use.peakMegabytes(), idle, failures(controller));
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    private static double failures(ControllerProgram controller) {
        return FAILED.matcher(controller.get("/metrics"))
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    private static void await(String what, BooleanSupplier condition) {
        Await.until(WITHIN, () -> "not within " + WITHIN + ": " + what, condition);
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** Resident memory once it no longer grows. */
    private static double idle(ProcessUse use) {
        double[] last = {0};
        int[] unchanged = {0};
        Await.until(Duration.ofSeconds(30), () -> "memory still grows", () -> {
            double now = use.residentMegabytes();
            unchanged[0] = now <= last[0] ? unchanged[0] + 1 : 0;
            last[0] = now;
            return unchanged[0] >= 50;
        });
        return last[0];
    }
}
