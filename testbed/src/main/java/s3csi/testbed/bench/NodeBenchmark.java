package s3csi.testbed.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.bench.engine.ProcessUse;
import s3csi.testbed.contender.Texts;
import s3csi.testbed.csi.NodeProgram;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What a volume on a node costs: to mount it, to say it again every minute, and to have it. Prints a table, or JSON with {@code --json};
 * ends with 1 when a bar is missed.
 */
public final class NodeBenchmark {
    private static final String BUCKET = "bench";
    private static final int COLD = 15;
    private static final int SHARED = 200;
    private static final int WARM_UP = 2000;
    private static final int REPUBLISHES = 5000;
    private static final Duration IDLE_WITHIN = Duration.ofSeconds(20);

    /** The driver says when a volume is served, in milliseconds, and by which process. */
    private static final Pattern MOUNTED = Pattern.compile("\"ts\":(\\d+).*is mounted at .* by process (\\d+)");

    private NodeBenchmark() {}

    public static void main(String[] arguments) {
        List<Figure> figures = measure();
        Figure.print(figures, "a node, its driver and its engines as built, MinIO in memory", arguments);
        System.exit(figures.stream().allMatch(Figure::isHeld) ? 0 : 1);
    }

    private static List<Figure> measure() {
        List<Figure> figures = new ArrayList<>();
        try (MinioServer store = MinioServer.startInMemory();
                S3Client s3 = S3Clients.root(store);
                NodeProgram node = NodeProgram.start(store, Scratch.directory("bench"))) {
            s3.createBucket(request -> request.bucket(BUCKET));
            ProcessUse driver = ProcessUse.of(node.driver().process().pid());
            figures.add(Figure.atMost("resident memory of the driver before any volume", "MB", idle(driver), 96));
            cold(figures, node);
            node.publish(BUCKET, "holder");
            ProcessUse engine = ProcessUse.of(node.engines().getFirst().pid());
            figures.add(Figure.atMost("resident memory of an engine that nobody uses", "MB", idle(engine), 64));
            shared(figures, node);
            republish(figures, node, driver);
            figures.add(Figure.of("resident memory of the driver after all of this", "MB", idle(driver)));
            node.unpublish(BUCKET, "holder");
        }
        return figures;
    }

    private static void cold(List<Figure> figures, NodeProgram node) {
        double[] publish = new double[COLD];
        double[] unpublish = new double[COLD];
        double[] start = new double[COLD];
        // The first start reads programs from disk.
        for (int round = -1; round < COLD; round++) {
            double published = millis(() -> node.publish(BUCKET, "cold"));
            double started = startOfEngine(node);
            double unpublished = millis(() -> node.unpublish(BUCKET, "cold"));
            if (round >= 0) {
                publish[round] = published;
                start[round] = started;
                unpublish[round] = unpublished;
            }
        }
        figures.add(Figure.of("publish of a volume that is not mounted, median", "ms", quantile(publish, 0.5)));
        figures.add(Figure.atMost(
                "of that, start of the engine's process until it serves, median", "ms", quantile(start, 0.5), 300));
        figures.add(Figure.of("unpublish of its last target, median", "ms", quantile(unpublish, 0.5)));
    }

    /** From the start of the engine's process until the driver saw it serve; the kernel knows both clocks to 10 ms. */
    private static double startOfEngine(NodeProgram node) {
        int pid = node.engines().getFirst().pid();
        String stat = Texts.read(Path.of("/proc", Integer.toString(pid), "stat"));
        // The name in brackets may hold anything; what follows it are fields 3 and up, of which 22 is the start, in 10
        // ms.
        double start = 10
                * Double.parseDouble(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
        double uptime =
                1000 * Double.parseDouble(Texts.read(Path.of("/proc/uptime")).split(" ", -1)[0]);
        double boot = System.currentTimeMillis() - uptime;
        return MOUNTED.matcher(node.driver().log())
                .results()
                .filter(line -> Integer.parseInt(line.group(2)) == pid)
                .mapToDouble(line -> Double.parseDouble(line.group(1)) - boot - start)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the driver did not log process " + pid));
    }

    private static void shared(List<Figure> figures, NodeProgram node) {
        double[] publish = new double[SHARED];
        for (int round = 0; round < SHARED; round++) {
            publish[round] = millis(() -> node.publish(BUCKET, "shared"));
            node.unpublish(BUCKET, "shared");
        }
        figures.add(
                Figure.of("publish of a mounted volume for one more workload, median", "ms", quantile(publish, 0.5)));
    }

    private static void republish(List<Figure> figures, NodeProgram node, ProcessUse driver) {
        NodePublishVolumeRequest request = node.request(BUCKET, "holder").build();
        for (int call = 0; call < WARM_UP; call++) {
            node.node().nodePublishVolume(request);
        }
        double[] latency = new double[REPUBLISHES];
        double before = driver.cpuSeconds();
        for (int call = 0; call < REPUBLISHES; call++) {
            latency[call] = millis(() -> node.node().nodePublishVolume(request));
        }
        double cpu = (driver.cpuSeconds() - before) * 1000 / REPUBLISHES;
        figures.add(Figure.of("publish again, as kubelet does every minute, median", "ms", quantile(latency, 0.5)));
        figures.add(Figure.atMost("publish again, 99th percentile", "ms", quantile(latency, 0.99), 20));
        figures.add(Figure.atMost("publish again, CPU of the driver", "ms", cpu, 5));
    }

    private static double millis(Runnable work) {
        long started = System.nanoTime();
        work.run();
        return (System.nanoTime() - started) / 1e6;
    }

    private static double quantile(double[] values, double part) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
    }

    /** Resident memory once it no longer grows. */
    private static double idle(ProcessUse use) {
        double[] last = {0};
        int[] unchanged = {0};
        Await.until(IDLE_WITHIN, () -> "memory still grows", () -> {
            double now = use.residentMegabytes();
            unchanged[0] = now <= last[0] ? unchanged[0] + 1 : 0;
            last[0] = now;
            return unchanged[0] >= 10;
        });
        return last[0];
    }
}
