package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import s3csi.linux.MountEntry;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;

/** Volumes come and go for as long as a node lives: nothing may pile up. */
final class CyclesTest extends NodeStage {
    private static final int CYCLES = 1000;

    /** An engine costs half a second to a second; S3CSI_ENGINE_CYCLES=1000 makes as many, in some twelve minutes. */
    private static final int ENGINE_CYCLES =
            Integer.parseInt(System.getenv().getOrDefault("S3CSI_ENGINE_CYCLES", "25"));

    /** Until here the JVM still makes threads and opens files that it keeps. */
    private static final int WARM_UP = 20;

    private record Holdings(long descriptors, List<MountEntry> mounts, List<Path> files) {}

    @Override
    S3Server startServer() {
        return MinioServer.startInMemory();
    }

    @Test
    void targetsOfALivingSource() throws IOException {
        String bucket = bucket("bound");
        node.publish(bucket, "holder");
        cycle(WARM_UP, bucket);
        Holdings before = holdings();
        long threads = count("task");

        cycle(CYCLES, bucket);

        assertHoldsNoMoreThan(before, threads);
        node.unpublish(bucket, "holder");
        assertNothingIsLeft();
    }

    @Test
    void sourcesWithTheirEngines() throws IOException {
        String bucket = bucket("mounted");
        cycle(3, bucket);
        Holdings before = holdings();
        long threads = count("task");

        cycle(ENGINE_CYCLES, bucket);

        assertHoldsNoMoreThan(before, threads);
        assertNothingIsLeft();
        // The driver takes note of an end on another thread than the one that answers.
        await("the last of the engines that nobody waited for", () -> zombies().isEmpty());
    }

    private void cycle(int times, String bucket) throws IOException {
        for (int time = 0; time < times; time++) {
            assertThat(greeting(node.publish(bucket, "a"))).isEqualTo(bucket);
            node.unpublish(bucket, "a");
        }
    }

    /** After an answer a thread of the driver may still be about to close what it has used. */
    private void assertHoldsNoMoreThan(Holdings before, long threads) throws IOException {
        await("closing of descriptors", () -> count("fd") <= before.descriptors);
        assertThat(holdings()).isEqualTo(before);
        await("the end of helper threads", () -> count("task") <= threads);
    }

    private Holdings holdings() throws IOException {
        return new Holdings(count("fd"), node.mounts(), sources());
    }

    private long count(String what) {
        try (Stream<Path> entries = Files.list(driver().resolve(what))) {
            return entries.count();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private Path driver() {
        return Path.of("/proc", Long.toString(node.driver().process().pid()));
    }

    private List<Long> zombies() {
        return ProcessHandle.of(node.driver().process().pid())
                .orElseThrow()
                .children()
                .map(ProcessHandle::pid)
                .toList();
    }
}
