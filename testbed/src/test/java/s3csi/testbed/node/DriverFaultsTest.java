package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;

/** A driver that is stopped or killed, at rest and in the middle of a publish. */
final class DriverFaultsTest extends NodeStage {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(10);

    /** From the first call after the cause is gone to its answer. */
    private static final Duration HEALS_WITHIN = Duration.ofSeconds(5);

    /** How far a publish has come, as can be seen from outside. */
    enum Step {
        DIRECTORIES,
        ENGINE,
        SOURCE,
        ANSWER
    }

    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    private BooleanSupplier hasReached(Step step) {
        return switch (step) {
            case DIRECTORIES -> this::hasDirectories;
            case ENGINE -> () -> !node.engines().isEmpty();
            case SOURCE -> () -> !node.mounts().isEmpty();
            case ANSWER -> () -> node.mounts().size() == 2;
        };
    }

    /** Of a source: the directory that they are in stays when the first has gone. */
    private boolean hasDirectories() {
        try (Stream<Path> sources = Files.list(node.plugin().resolve("comm"))) {
            return sources.findAny().isPresent();
        } catch (NoSuchFileException notYet) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPublishThatWasCutOffIsFinishedByTheNextDriver(Step step) throws Exception {
        String bucket = bucket("cut-" + step.name().toLowerCase(Locale.ROOT));
        Future<Code> publish = publishInBackground(bucket);
        await("step " + step, hasReached(step));

        node.kill();

        assertThat(publish.get()).isIn(Code.OK, Code.UNAVAILABLE, Code.CANCELLED);
        node.startAgain();
        long started = System.nanoTime();
        assertThat(greeting(node.publish(bucket, "a"))).isEqualTo(bucket);
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(HEALS_WITHIN);
        assertThat(node.engines()).hasSize(1);
        assertThat(node.mounts()).as("one source, one target").hasSize(2);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void aDriverThatIsStoppedInAPublishAnswersAndEnds() throws Exception {
        String bucket = bucket("sigterm");
        // The engine starts, and then waits for a store that does not answer.
        network.blackhole();
        Future<Code> publish = publishInBackground(bucket);
        await("the engine", () -> !node.engines().isEmpty());

        assertThat(node.driver().process().terminateWithin(STOPS_WITHIN)).isZero();

        assertThat(publish.get()).isEqualTo(Code.UNAVAILABLE);
        network.pass();
        node.startAgain();
        assertThat(greeting(node.publish(bucket, "a"))).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void aSecondDriverWaitsForTheEndOfTheFirst() throws IOException {
        String bucket = bucket("second");
        Path target = node.publish(bucket, "a");
        Path log = Scratch.directory("rival").resolve("driver.log");
        try (ChildProcess rival = node.launchRival(log)) {
            await("the second driver waits", () -> has(log, "another driver works with " + node.plugin()));
            node.publish(bucket, "b");
            node.unpublish(bucket, "b");

            node.kill();
            await("the second driver is ready", () -> has(log, "the driver is ready"));
            assertThat(rival.terminateWithin(STOPS_WITHIN)).isZero();
        }
        node.startAgain();
        assertThat(greeting(target)).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    private static boolean has(Path log, String words) {
        try {
            return Files.readString(log).contains(words);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void aStoppedDriverLeavesItsMounts() throws IOException {
        String bucket = bucket("restarted");
        Path target = node.publish(bucket, "a");

        assertThat(node.driver().process().terminateWithin(STOPS_WITHIN)).isZero();
        assertThat(greeting(target)).isEqualTo(bucket);
        node.startAgain();

        node.publish(bucket, "b");
        assertThat(node.engines()).hasSize(1);
        node.unpublish(bucket, "a");
        node.unpublish(bucket, "b");
        assertNothingIsLeft();
    }
}
