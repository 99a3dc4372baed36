package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.NodeGetVolumeStatsRequest;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Mounts.Unmount;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.FoundEngine;
import s3csi.testbed.csi.Refusals;

/** Targets: what they may be called, what may be published and unpublished there, and who may not get in between. */
final class TargetsTest extends NodeStage {
    private static final int TRIES = 200;

    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    /** The driver is started without any locale, as in a container. */
    @Test
    void aTargetMayBeCalledAnythingInAnyLanguage() throws IOException {
        String bucket = bucket("named");
        for (String workload : List.of("käse-und-brot", "日本語", "пример с пробелом")) {
            Path target = node.publish(bucket, workload);
            assertThat(greeting(target)).isEqualTo(bucket);
            node.publish(bucket, workload);
            node.unpublish(bucket, workload);
            assertThat(target).doesNotExist();
        }
        assertNothingIsLeft();
    }

    @Test
    void aTargetOfAnotherVolumeIsNeitherUnpublishedNorLookedAt() throws IOException {
        String bucket = bucket("kept");
        Path target = node.publish(bucket, "a");

        assertThat(Refusals.refused(Code.NOT_FOUND, () -> node.unpublish("other", "a")))
                .contains("another volume");
        assertThat(Refusals.refused(
                        Code.NOT_FOUND,
                        () -> node.node()
                                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                        .setVolumeId("other")
                                        .setVolumePath(target.toString())
                                        .build())))
                .contains("another volume");

        assertThat(greeting(target)).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void anotherBucketOrGroupIsNotPublishedWhereTheVolumeIs() throws IOException {
        String bucket = bucket("first");
        bucket("second");
        Path target = node.publish(bucket, "a");

        assertThat(refused(Code.ALREADY_EXISTS, node.request(bucket, "a").putVolumeContext("bucketName", "second")))
                .contains("second");
        NodePublishVolumeRequest.Builder grouped = node.request(bucket, "a");
        grouped.getVolumeCapabilityBuilder().getMountBuilder().setVolumeMountGroup("4711");
        assertThat(refused(Code.ALREADY_EXISTS, grouped)).contains("4711");

        node.publish(bucket, "a", "allow-delete");
        assertThat(greeting(target)).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    /** What a driver of old left that was killed between its two steps: the bind without the remount. */
    @Test
    void aTargetThatWasLeftWritableIsMadeReadOnlyByTheNextPublish() throws IOException {
        String bucket = bucket("half-done");
        NodePublishVolumeRequest.Builder request = node.request(bucket, "a").setReadonly(true);
        node.publish(bucket, "b");
        Path target = node.publish(request);
        Path source = Path.of(node.mounts().stream()
                .filter(entry -> entry.isBelow(node.plugin()))
                .findFirst()
                .orElseThrow()
                .mountPoint());
        Mounts.unmount(target, Unmount.PLAIN);
        Mounts.bind(source, target);
        Files.writeString(target.resolve("too-early"), "x");

        node.publish(request);

        assertThatThrownBy(() -> Files.writeString(target.resolve("new"), "no"))
                .hasMessageContaining("Read-only file system");
        Files.writeString(node.target("b").resolve("new"), "the other target stays as it is");
        node.unpublish(bucket, "a");
        node.unpublish(bucket, "b");
        assertNothingIsLeft();
    }

    /** The directory of a workload is swapped for a link to elsewhere and back, as fast as can be. */
    @Test
    void aLinkThatIsSwappedInLeadsNowhere() throws Exception {
        String bucket = bucket("swapped");
        // It keeps the source, so that a publish takes no longer than a bind.
        node.publish(bucket, "steady");
        Path outside = Scratch.directory("outside").toRealPath();
        Files.createDirectory(outside.resolve("mount"));
        Path pod = Files.createDirectories(node.pods().resolve("a"));
        Path aside = node.pods().resolve("aside");
        Path link = Files.createSymbolicLink(node.pods().resolve("link"), outside);
        AtomicBoolean ended = new AtomicBoolean();
        Thread attacker = Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                swap(pod, aside, ended);
                swap(link, pod, ended);
                swap(pod, link, ended);
                swap(aside, pod, ended);
            }
        });
        try {
            for (int i = 0; i < TRIES; i++) {
                tryOnce(() -> node.publish(bucket, "a"));
                assertThat(mountsBelow(outside)).as("after " + i + " tries").isEmpty();
                tryOnce(() -> node.unpublish(bucket, "a"));
            }
        } finally {
            ended.set(true);
            attacker.join();
        }
        assertThat(outside.resolve("mount")).as("a directory outside").isEmptyDirectory();
        if (Files.isSymbolicLink(pod)) {
            Files.delete(pod);
        }
        Files.deleteIfExists(link);
        node.unpublish(bucket, "a");
        if (Files.exists(aside)) {
            Files.deleteIfExists(pod);
            Files.move(aside, pod);
            node.unpublish(bucket, "a");
        }
        node.unpublish(bucket, "steady");
        assertNothingIsLeft();
    }

    /** Where the driver made the directory anew in a gap between two moves, that one goes first, as soon as nothing is mounted in it. */
    private static void swap(Path from, Path to, AtomicBoolean ended) {
        boolean isDone = false;
        while (!isDone && !ended.get()) {
            try {
                Files.move(from, to);
                isDone = true;
            } catch (IOException inTheWay) {
                removeIfEmpty(to.resolve("mount"));
                removeIfEmpty(to);
            }
        }
    }

    private static void removeIfEmpty(Path directory) {
        try {
            if (!Files.isSymbolicLink(directory)) {
                Files.deleteIfExists(directory);
            }
        } catch (IOException inUse) {
            // The unpublish that comes next takes care of it.
        }
    }

    /** Whatever comes of it. */
    private static void tryOnce(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException refusal) {
            assertThat(refusal.getStatus().getCode()).isNotIn(Code.OK, Code.UNKNOWN);
        }
    }

    private static List<MountEntry> mountsBelow(Path directory) throws IOException {
        return MountTable.current().select(entry -> entry.isBelow(directory));
    }

    @Test
    void aProcessWithTheCommandLineOfAnEngineHoldsNothingUp() throws IOException {
        String bucket = bucket("decoyed");
        node.publish(bucket, "a");
        FoundEngine engine = node.engines().getFirst();
        Path log = Scratch.directory("decoy").resolve("log");
        List<String> line = List.of("/bin/sh", "-c", "read line", "decoy", "--comm-dir=" + engine.comm());
        try (ChildProcess decoy = ChildProcess.start(line, Map.of(), log)) {
            await("the decoy", () -> node.engines().size() == 2);
            long started = System.nanoTime();

            node.unpublish(bucket, "a");

            assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
            assertThat(decoy.isAlive()).isTrue();
            assertThat(sources()).isEmpty();
        }
        assertNothingIsLeft();
    }

    /** The first thing a driver does is to end sources that no target uses; those of before are below another directory. */
    @Test
    void aDriverWithAnotherRootLeavesTheSourcesOfTheLastOneAlone() throws IOException {
        String bucket = bucket("moved");
        Path target = node.publish(bucket, "a");
        FoundEngine engine = node.engines().getFirst();
        // One that is unused, and is looked at after the other: when it is gone, the other has been looked at.
        List<String> unused = new ArrayList<>();
        while (isLast(engine)) {
            unused.add(bucket("unused-" + unused.size()));
            Mounts.unmount(node.publish(unused.getLast(), unused.getLast()), Unmount.PLAIN);
        }
        Path root = Scratch.directory("other-root");

        node.startAgain(root);
        try {
            await("the end of the unused sources", () -> node.engines().size() == 1);

            assertThat(engine.comm().resolve("mount.exit")).doesNotExist();
            assertThat(node.mounts().stream().filter(entry -> entry.isBelow(node.plugin())))
                    .as("its source")
                    .hasSize(1);
            assertThat(greeting(target)).isEqualTo(bucket);
        } finally {
            node.startAgain();
        }
        unused.forEach(each -> node.unpublish(each, each));
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    /** Sources are looked at in the order of their names. */
    private boolean isLast(FoundEngine engine) {
        return node.engines().stream()
                .map(each -> each.comm().getFileName().toString())
                .allMatch(name -> name.compareTo(engine.comm().getFileName().toString()) <= 0);
    }
}
