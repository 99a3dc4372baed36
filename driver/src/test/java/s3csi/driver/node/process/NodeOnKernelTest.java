package s3csi.driver.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static s3csi.driver.node.PublishRequests.capability;
import static s3csi.driver.node.PublishRequests.publish;

import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.csi.v1.NodeGetVolumeStatsRequest;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.driver.grpc.Call;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.KernelMounts;
import s3csi.driver.node.target.BindMounts;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Mounts.Unmount;

/** The whole way of a mount with the real kernel and real processes; only the file system is a stub. */
@Tag("engine")
class NodeOnKernelTest {
    private static final int SIGSTOP = 19;
    private static final int SIGCONT = 18;

    private final Node node;

    NodeOnKernelTest(@TempDir Path scratch) throws IOException {
        node = new Node(scratch);
    }

    @AfterEach
    void leaveNothing() throws IOException {
        node.close();
    }

    private static String greeting(Path target) throws IOException {
        return Files.readString(target.resolve(GreetingFileSystem.NAME));
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(node.mounts()).isEmpty();
        assertThat(node.engines()).isEmpty();
        assertThat(node.sources()).isEmpty();
        assertThat(SourceDirectory.mounts(node.plugin)).isEmptyDirectory();
    }

    @Test
    void aVolumeIsPublishedAndUnpublished() throws IOException {
        Path target = node.publish("a");
        assertThat(greeting(target)).contains("--allow-root", "--force-path-style");
        MountEntry mounted = node.mountAt(target).orElseThrow();
        assertThat(mounted.source()).isEqualTo("mountpoint-s3");
        assertThat(mounted.options()).contains("nosuid", "nodev", "noatime", "rw");
        assertThat(node.mounts()).hasSize(2);
        assertThat(Path.of("/sys/class/bdi", mounted.device().toString(), "read_ahead_kb"))
                .hasContent("1024");

        node.unpublish("a").given();
        assertThat(target).doesNotExist();
        node.unpublish("a").given();
        assertNothingIsLeft();
    }

    @Test
    void targetsShareASourceAndItEndsWithTheLast() throws IOException {
        Path first = node.publish("a");
        Path second = node.publish("b");
        assertThat(node.engines()).hasSize(1);
        assertThat(node.mountAt(first).orElseThrow().device())
                .isEqualTo(node.mountAt(second).orElseThrow().device());
        node.unpublish("a").given();
        assertThat(greeting(second)).isNotEmpty();
        node.unpublish("b").given();
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({
        "MULTI_NODE_READER_ONLY, '', false",
        "MULTI_NODE_MULTI_WRITER, read-only, false",
        "MULTI_NODE_MULTI_WRITER, '', true"
    })
    void readOnlyIsEnforcedByTheKernel(Mode mode, String option, boolean asked) throws IOException {
        Path target = node.target("a");
        NodePublishVolumeRequest.Builder request = publish(target)
                .setReadonly(asked)
                .setVolumeCapability(option.isEmpty() ? capability(mode) : capability(mode, option));
        node.publish(request).given();
        assertThat(greeting(target)).isNotEmpty();
        assertThatThrownBy(() -> Files.createFile(target.resolve("new")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only file system");
        // Published again it stays what it was.
        node.publish(request).given();
    }

    @Test
    void readersAndWritersCanShareAVolume() throws IOException {
        Path writer = node.publish("writer");
        node.publish(publish(node.target("reader")).setReadonly(true)).given();
        assertThat(node.engines()).hasSize(1);
        Files.createFile(writer.resolve("new"));
        assertThatThrownBy(() -> Files.createFile(node.target("reader").resolve("new")))
                .hasMessageContaining("Read-only file system");
    }

    @Test
    void filesBelongToTheGroupOfTheWorkload() throws IOException {
        Path target = node.target("a");
        node.publish(publish(target).setVolumeCapability(PublishRequests.ofGroup("4711")))
                .given();
        assertThat(Files.getAttribute(target.resolve(GreetingFileSystem.NAME), "unix:gid"))
                .isEqualTo(4711);
    }

    @Test
    void publishingAgainChangesNothingButTheKeys() throws IOException {
        Path target = node.target("a");
        NodePublishVolumeRequest.Builder request = publish(target).putVolumeContext("authenticationSource", "secret");
        node.publish(request.clone().putAllSecrets(PublishRequests.secret("A", "old")))
                .given();
        List<MountEntry> before = node.mounts();
        node.publish(request.clone().putAllSecrets(PublishRequests.secret("A", "new")))
                .given();
        assertThat(node.mounts()).isEqualTo(before);
        try (Stream<Path> files = Files.list(node.sources().getFirst().credentials())) {
            assertThat(files.filter(file -> file.toString().endsWith("-credentials")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).content().contains("=new\n"));
        }
    }

    @Test
    void aDeadSourceIsHealedByTheNextPublish() throws IOException {
        Path first = node.publish("a");
        Path second = node.publish("b");
        int engine = node.engines().getFirst();
        Node.kill(engine);
        await(() -> node.engines().isEmpty());
        assertThatThrownBy(() -> greeting(first)).isInstanceOf(IOException.class);

        node.publish("a");
        node.publish("b");
        assertThat(greeting(first)).isEqualTo(greeting(second));
        assertThat(node.engines()).hasSize(1).doesNotContain(engine);
        assertThat(node.mounts()).hasSize(3);
        node.unpublish("a").given();
        node.unpublish("b").given();
        assertNothingIsLeft();
    }

    @Test
    void aDeadTargetCanBeUnpublished() throws IOException {
        node.publish("a");
        Node.kill(node.engines().getFirst());
        await(() -> node.engines().isEmpty());
        node.unpublish("a").given();
        assertNothingIsLeft();
    }

    @Test
    void aStoppedEngineDoesNotHoldTheDriverUp() throws IOException {
        Path target = node.publish("a");
        int engine = node.engines().getFirst();
        whileStopped(engine, () -> {
            assertThat(node.publish(publish(target)).refused(Code.UNAVAILABLE)).contains("did not answer");
            assertThat(isAbnormal(target)).isTrue();
        });
        node.publish("a");
        assertThat(greeting(target)).isNotEmpty();
        assertThat(node.engines()).containsExactly(engine);
    }

    @Test
    void aTargetOfAStoppedEngineCanBeUnpublished() throws IOException {
        Path target = node.publish("a");
        whileStopped(node.engines().getFirst(), () -> {
            // The thread that looks stays in the mount, and keeps it busy.
            assertThat(isAbnormal(target)).isTrue();
            node.unpublish("a").given();
            assertThat(target).doesNotExist();
            assertThat(node.mounts()).isEmpty();
        });
        await(() -> node.engines().isEmpty());
        node.publish("a");
        node.unpublish("a").given();
        assertNothingIsLeft();
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void whileStopped(int engine, Step step) throws IOException {
        Node.signal(engine, SIGSTOP);
        try {
            await(() -> isStopped(engine));
            step.run();
        } finally {
            Node.signal(engine, SIGCONT);
        }
    }

    private boolean isAbnormal(Path target) {
        return Call.of(
                        node.service()::nodeGetVolumeStats,
                        NodeGetVolumeStatsRequest.newBuilder()
                                .setVolumeId(PublishRequests.VOLUME)
                                .setVolumePath(target.toString())
                                .build())
                .given()
                .getVolumeCondition()
                .getAbnormal();
    }

    @ParameterizedTest
    @CsvSource({
        StubMounter.MISSING + ", NOT_FOUND, no such bucket",
        StubMounter.CRASHES + ", INTERNAL, a stack trace of the stub"
    })
    void anEngineThatCannotMountSaysWhyAndLeavesNothing(String bucket, Code code, String words) throws IOException {
        NodePublishVolumeRequest.Builder request = publish(node.target("a")).putVolumeContext("bucketName", bucket);
        assertThat(node.publish(request).refused(code)).contains(words);
        assertThat(node.pods).isEmptyDirectory();
        assertNothingIsLeft();
        node.publish("a");
    }

    @Test
    void anEngineThatHangsIsGivenUp(@TempDir Path alone) throws IOException {
        VolumeMount hangs = PublishRequests.read(
                PublishRequests.reader(), publish(node.target("a")).putVolumeContext("bucketName", StubMounter.HANGS));
        // Not in the directory of the node, whose own mounter may be sweeping there.
        Path plugin = alone.toRealPath();
        KernelMounts mounts = new KernelMounts();
        ProcessMounter mounter = new ProcessMounter(
                mounts,
                new BindMounts(mounts, node.pods, node.plugin),
                new SpawnedEngines(node.command()),
                plugin,
                PublishRequests.driverKeys()::current,
                Map.of());
        // Within this the JVM of the stub has started and taken the mount over, also on a busy machine.
        assertThatThrownBy(() ->
                        mounter.withSource(hangs, node.target("a"), Deadline.after(Duration.ofSeconds(10)), _ -> {}))
                .hasMessageContaining("did not begin to serve in time");
        assertThat(SourceDirectory.allIn(plugin)).isEmpty();
        assertThat(SourceDirectory.mounts(plugin)).isEmptyDirectory();
        assertThat(MountTable.current().select(entry -> entry.isBelow(plugin))).isEmpty();
    }

    @Test
    void theNextDriverGoesOnWhereTheLastOneWasKilled() throws IOException {
        Path target = node.publish("a");
        int engine = node.engines().getFirst();
        node.restartDriver();
        assertThat(greeting(target)).isNotEmpty();
        node.publish("a");
        node.publish("b");
        assertThat(node.engines()).containsExactly(engine);
        node.unpublish("a").given();
        node.unpublish("b").given();
        assertNothingIsLeft();
    }

    @Test
    void aSourceWithoutTargetIsSweptUpByTheNextDriver() throws IOException {
        Path target = node.publish("a");
        Mounts.unmount(target, Unmount.PLAIN);
        node.restartDriver();
        await(() -> node.sources().isEmpty());
        assertNothingIsLeft();
    }

    @Test
    void aLinkInPlaceOfTheTargetIsRefused(@TempDir Path elsewhere) throws IOException {
        Files.createDirectory(node.pods.resolve("a"));
        Files.createSymbolicLink(node.target("a"), elsewhere);
        assertThat(node.publish(publish(node.target("a"))).refused(Code.INVALID_ARGUMENT))
                .contains("symbolic link");
        assertThat(node.mounts()).isEmpty();
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aBusyTargetIsUnpublishedLater() throws IOException {
        Path target = node.publish("a");
        try (var open = Files.newInputStream(target.resolve(GreetingFileSystem.NAME))) {
            assertThat(open.read()).isPositive();
            node.unpublish("a").refused(Code.UNAVAILABLE);
            assertThat(greeting(target)).isNotEmpty();
        }
        node.unpublish("a").given();
        assertNothingIsLeft();
    }

    @Test
    void aHundredAtOnceMakeOneMount() throws Exception {
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> published = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                String name = "t" + i;
                published.add(calls.submit(() -> node.publish(name)));
            }
            for (Future<?> call : published) {
                call.get();
            }
            assertThat(node.engines()).hasSize(1);
            assertThat(node.mounts()).hasSize(101);
            List<Future<?>> unpublished = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                String name = "t" + i;
                unpublished.add(calls.submit(() -> node.unpublish(name).given()));
            }
            for (Future<?> call : unpublished) {
                call.get();
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void aHundredTimesLeaveNothing() throws IOException {
        node.publish("warm");
        node.unpublish("warm").given();
        long descriptors = descriptors();
        for (int i = 0; i < 100; i++) {
            node.publish("a");
            node.unpublish("a").given();
        }
        assertNothingIsLeft();
        assertThat(descriptors()).isEqualTo(descriptors);
        assertThat(node.pods.resolve("a")).isEmptyDirectory();
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    /** A signal is delivered to each thread when it is its turn; one that ends meanwhile is a reason to look again. */
    private static boolean isStopped(int process) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Integer.toString(process), "task"))) {
            for (Path thread : threads.toList()) {
                if (!hasStopped(thread)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static boolean hasStopped(Path thread) throws IOException {
        try {
            String status = Files.readString(thread.resolve("stat"));
            return status.charAt(status.lastIndexOf(')') + 2) == 'T';
        } catch (IOException e) {
            if (Files.exists(thread)) {
                throw e;
            }
            return false;
        }
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws IOException {
        Deadline deadline = Deadline.after(Duration.ofSeconds(30));
        while (!condition.holds()) {
            assertThat(deadline.isOver()).as("within 30 s").isFalse();
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
