package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import s3csi.linux.DirectoryTree;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts;
import s3csi.linux.Mounts.Unmount;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.FoundEngine;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** What people and programs do to a node behind the driver's back. */
final class InterferenceTest extends NodeStage {
    private static final int HELD_UP_SECONDS = 3;

    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    private Path source() {
        return node.mounts().stream()
                .filter(entry -> entry.isBelow(node.plugin()))
                .map(MountEntry::mountPoint)
                .map(Path::of)
                .findFirst()
                .orElseThrow();
    }

    private boolean isStored(String bucket, String key) {
        try {
            witness.headObject(request -> request.bucket(bucket).key(key));
            return true;
        } catch (NoSuchKeyException _) {
            return false;
        }
    }

    /** Its last file is on the way to a store that does not answer when both mounts are taken away and the volume comes again. */
    @Test
    void anEngineThatStillStoresIsNotReplaced() throws Exception {
        String bucket = bucket("storing");
        Path target = node.publish(bucket, "a");
        FoundEngine engine = node.engines().getFirst();
        try (OutputStream _ = Files.newOutputStream(target.resolve("empty"))) {
            network.blackhole();
        }
        Mounts.unmount(target, Unmount.PLAIN);
        Mounts.unmount(source(), Unmount.PLAIN);
        assertThat(isStored(bucket, "empty")).isFalse();

        Future<Code> again = publishInBackground(bucket);
        assertThat(engineOutlives(engine, again)).as("the engine that stores").isTrue();
        network.pass();

        assertThat(again.get()).isEqualTo(Code.OK);
        assertThat(isStored(bucket, "empty")).as("what was closed is stored").isTrue();
        assertThat(target.resolve("empty")).isEmptyFile();
        assertThat(node.engines()).hasSize(1).doesNotContain(engine);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    /** Whether it lives on for a while in which nothing is to happen. */
    private static boolean engineOutlives(FoundEngine engine, Future<Code> publish) throws Exception {
        try {
            publish.get(HELD_UP_SECONDS, TimeUnit.SECONDS);
            return false;
        } catch (TimeoutException _) {
            return engine.isAlive();
        }
    }

    @Test
    void aSourceThatIsUnmountedAtItsPlaceServesItsTargetsOn() throws IOException {
        String bucket = bucket("displaced");
        Path first = node.publish(bucket, "a");
        FoundEngine engine = node.engines().getFirst();
        Mounts.unmount(source(), Unmount.DETACH);

        Path second = node.publish(bucket, "b");
        node.publish(bucket, "a");

        assertThat(greeting(first)).isEqualTo(bucket);
        assertThat(greeting(second)).isEqualTo(bucket);
        assertThat(node.engines()).hasSize(2).contains(engine);
        node.unpublish(bucket, "a");
        await("the end of the engine", () -> !engine.isAlive());
        assertThat(greeting(second)).isEqualTo(bucket);
        node.unpublish(bucket, "b");
        assertNothingIsLeft();
    }

    @Test
    void aDirectoryThatIsRemovedUnderASourceIsMadeAgain() throws IOException {
        String bucket = bucket("removed");
        Path first = node.publish(bucket, "a");
        DirectoryTree.remove(node.engines().getFirst().comm());

        Path second = node.publish(bucket, "b");

        assertThat(greeting(first)).isEqualTo(bucket);
        assertThat(greeting(second)).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        node.unpublish(bucket, "b");
        assertNothingIsLeft();
    }

    /** A root that holds the driver's directory, too, such as all of kubelet's. */
    @Test
    void aTargetInTheDriversOwnDirectoryIsRefused() throws IOException {
        String bucket = bucket("kept");
        String intruder = bucket("intruder");
        node.publish(bucket, "a");
        Path comm = node.engines().getFirst().comm();
        node.startAgain(node.plugin().resolve("..").normalize());
        try {
            for (Path own : List.of(comm.resolve("credentials"), comm, node.plugin())) {
                assertThat(refused(
                                Code.INVALID_ARGUMENT,
                                node.request(intruder, "x").setTargetPath(own.toString())))
                        .contains("the driver's own directory");
            }
        } finally {
            node.startAgain();
        }
        assertThat(greeting(node.target("a"))).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }
}
