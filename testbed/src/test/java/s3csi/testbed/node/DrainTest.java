package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import s3csi.linux.Mounts;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;

/** A node with many workloads of few volumes lets go of many of them at once, as when it is drained. */
final class DrainTest extends NodeStage {
    private static final int VOLUMES = 4;
    private static final int WORKLOADS_OF_EACH = 250;
    /** As many as work at once for each volume; what each call costs depends on how many are mounted, not on how many calls there were. */
    private static final int DRAINED_OF_EACH = 25;

    private static final int AT_ONCE = 50;

    @Override
    S3Server startServer() {
        return MinioServer.startInMemory();
    }

    @Test
    void aDrainAmongAThousandWorkloadsLeavesTheDriverAliveAndNothingElse() throws Exception {
        List<Workload> drained = new ArrayList<>();
        List<Workload> others = new ArrayList<>();
        List<Workload> last = new ArrayList<>();
        for (int number = 0; number < VOLUMES; number++) {
            List<Workload> workloads = publish(bucket("drain-" + number));
            last.add(workloads.getFirst());
            drained.addAll(workloads.subList(1, 1 + DRAINED_OF_EACH));
            others.addAll(workloads.subList(1 + DRAINED_OF_EACH, WORKLOADS_OF_EACH));
        }
        assertThat(node.mounts()).hasSize(VOLUMES + VOLUMES * WORKLOADS_OF_EACH);

        unpublish(drained);
        assertThat(node.mounts()).hasSize(VOLUMES + last.size() + others.size());
        // By the test, because it is quicker.
        for (Workload other : others) {
            Mounts.unmount(node.target(other.name), Mounts.Unmount.DETACH);
            Files.delete(node.target(other.name));
        }
        unpublish(last);

        assertNothingIsLeft();
    }

    private record Workload(String volume, String name) {}

    private void unpublish(List<Workload> workloads) throws Exception {
        List<Callable<Void>> calls = new ArrayList<>();
        for (Workload workload : workloads) {
            calls.add(() -> {
                node.unpublish(workload.volume, workload.name);
                return null;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<Void> answer : threads.invokeAll(calls, 3, TimeUnit.MINUTES)) {
                assertThat(node.driver().process().isAlive())
                        .as(() -> node.driver().process().story("goes on"))
                        .isTrue();
                answer.get();
            }
        }
    }

    /** The first workload gets the volume from the driver; the others are bound here, as the driver binds them, because it is quicker. */
    private List<Workload> publish(String bucket) throws IOException {
        List<Workload> workloads = new ArrayList<>(List.of(new Workload(bucket, bucket)));
        Path published = node.publish(bucket, bucket);
        for (int number = 1; number < WORKLOADS_OF_EACH; number++) {
            Workload workload = new Workload(bucket, bucket + "-" + number);
            Mounts.bind(published, Files.createDirectories(node.target(workload.name)));
            workloads.add(workload);
        }
        return workloads;
    }
}
