package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.csi.v1.NodeGetVolumeStatsRequest;
import s3csi.csi.v1.NodeGetVolumeStatsResponse;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.FoundEngine;

/** Engines that die or hang under a workload. */
final class EngineFaultsTest extends NodeStage {
    private static final int SIGCONT = 18;
    private static final int SIGSTOP = 19;
    private static final int SIGTERM = 15;

    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    @Test
    void aKilledEngineIsReplacedByTheNextPublish() throws IOException {
        String bucket = bucket("killed");
        Path first = node.publish(bucket, "a");
        Path second = node.publish(bucket, "b");
        FoundEngine engine = node.engines().getFirst();

        engine.kill();

        await("the end of the engine", () -> !engine.isAlive());
        await("ENOTCONN", () -> failure(first).contains("not connected"));
        assertThat(stats(bucket, first).getVolumeCondition().getAbnormal()).isTrue();
        node.publish(bucket, "a");
        node.publish(bucket, "b");
        assertThat(greeting(first)).isEqualTo(bucket);
        assertThat(greeting(second)).isEqualTo(bucket);
        assertThat(node.engines()).hasSize(1).doesNotContain(engine);
        assertThat(node.mounts()).as("one source, two targets").hasSize(3);
        node.unpublish(bucket, "a");
        node.unpublish(bucket, "b");
        assertNothingIsLeft();
    }

    @Test
    void aTargetOfADeadEngineCanBeUnpublished() throws IOException {
        String bucket = bucket("dead");
        node.publish(bucket, "a");
        FoundEngine engine = node.engines().getFirst();
        engine.kill();
        await("the end of the engine", () -> !engine.isAlive());

        node.unpublish(bucket, "a");

        assertNothingIsLeft();
    }

    /** With a cache and without, by the engine that replaces it, and by one that comes when the source is long gone. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void whatAKilledEngineLeftUnfinishedIsAbortedByTheNext(boolean cached, boolean unpublished) throws IOException {
        String bucket = bucket("unfinished-" + cached + "-" + unpublished);
        String[] options = cached ? new String[] {"cache /somewhere"} : new String[0];
        Path target = node.publish(bucket, "a", options);
        FoundEngine engine = node.engines().getFirst();
        try (OutputStream file = Files.newOutputStream(target.resolve("large"))) {
            file.write(new byte[20 << 20]);
            await("the upload", () -> uploads(bucket) == 1 && hasNote());
            engine.kill();
            await("the end of the engine", () -> !engine.isAlive());
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("connect");
        }
        assertThat(uploads(bucket)).isEqualTo(1);
        if (unpublished) {
            node.unpublish(bucket, "a");
        }

        node.publish(bucket, "a", options);

        await("the abort", () -> uploads(bucket) == 0 && !hasNote());
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    private int uploads(String bucket) {
        return witness.listMultipartUploads(request -> request.bucket(bucket).prefix("large"))
                .uploads()
                .size();
    }

    private boolean hasNote() {
        try {
            return sources().stream()
                    .anyMatch(file -> file.getFileName().toString().startsWith("upload-"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void anEngineThatDiesInAPublishLeavesNothing() throws Exception {
        String bucket = bucket("died");
        // The engine starts, and then waits for a store that does not answer.
        network.blackhole();
        Future<Code> publish = publishInBackground(bucket);
        await("the engine", () -> !node.engines().isEmpty());

        node.engines().getFirst().kill();

        assertThat(publish.get()).isEqualTo(Code.INTERNAL);
        assertNothingIsLeft();
        network.pass();
        assertThat(greeting(node.publish(bucket, "a"))).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void anEngineThatHangsBeforeItServesIsGivenUpAndReplaced() throws Exception {
        String bucket = bucket("hung");
        network.blackhole();
        Future<Code> publish = publishInBackground(bucket);
        await("the engine", () -> !node.engines().isEmpty());
        FoundEngine engine = node.engines().getFirst();

        engine.signal(SIGSTOP);

        assertThat(publish.get()).isEqualTo(Code.UNAVAILABLE);
        assertThat(engine.isAlive()).as("the engine that hung").isFalse();
        assertNothingIsLeft();
        network.pass();
        assertThat(greeting(node.publish(bucket, "a"))).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void aStoppedEngineDoesNotHoldTheDriverUp() throws IOException {
        String bucket = bucket("stopped");
        Path target = node.publish(bucket, "a");
        FoundEngine engine = node.engines().getFirst();
        engine.signal(SIGSTOP);
        try {
            await("the engine to stop", engine::isStopped);
            assertThat(refused(Code.UNAVAILABLE, node.request(bucket, "a"))).contains("did not answer");
            assertThat(stats(bucket, target).getVolumeCondition().getAbnormal()).isTrue();
            // Others are served meanwhile.
            String other = bucket("not-stopped");
            assertThat(greeting(node.publish(other, "b"))).isEqualTo(other);
            node.unpublish(other, "b");
        } finally {
            engine.signal(SIGCONT);
        }

        node.publish(bucket, "a");

        assertThat(greeting(target)).isEqualTo(bucket);
        assertThat(node.engines()).containsExactly(engine);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void anEngineThatServesIgnoresSigterm() throws IOException {
        String bucket = bucket("terminated");
        Path target = node.publish(bucket, "a");
        FoundEngine engine = node.engines().getFirst();

        engine.signal(SIGTERM);
        await("the signal", () -> log(engine).contains("SIGTERM is ignored"));

        Files.writeString(target.resolve("after"), "served");
        assertThat(target.resolve("after")).hasContent("served");
        assertThat(node.engines()).containsExactly(engine);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void whatIsMountedIsNotPublishedAgainAsSomethingElse() throws IOException {
        String bucket = bucket("mine");
        node.publish(bucket, "a");

        assertThat(refused(Code.ALREADY_EXISTS, node.request(bucket("other"), "a")))
                .contains("another volume");
        assertThat(refused(Code.ALREADY_EXISTS, node.request(bucket, "a").setReadonly(true)))
                .contains("writable");

        assertThat(greeting(node.target("a"))).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    private static String log(FoundEngine engine) {
        try {
            return Files.readString(engine.comm().resolve("mounter.log"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** What a workload is told that reads; the first ones after the end of an engine may see the connection break. */
    private static String failure(Path target) {
        try {
            return greeting(target);
        } catch (IOException failure) {
            return String.valueOf(failure.getMessage());
        }
    }

    private NodeGetVolumeStatsResponse stats(String bucket, Path target) {
        return node.node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(bucket)
                        .setVolumePath(target.toString())
                        .build());
    }
}
