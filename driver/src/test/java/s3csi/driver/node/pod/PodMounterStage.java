package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.driver.Eventually;
import s3csi.driver.cluster.FakeApiServer;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.target.BindMounts;
import s3csi.driver.node.target.Target;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.StoreKeys;
import s3csi.volume.mount.KubeletPaths;
import s3csi.volume.mount.Workload;

/** A mounter over a kernel, pods and an API server that are made up, and what its tests do with it. */
abstract class PodMounterStage {
    static final Duration LONG = Duration.ofSeconds(20);

    final FakeMounts mounts = new FakeMounts();
    final FakeApiServer server;
    final PodObjects objects;
    final KubeletPaths kubelet;
    final Path plugin;
    final FakePods pods;
    final List<VolumeMount> warned = new CopyOnWriteArrayList<>();
    Assignments assignments;
    PodMounter mounter;
    StoreKeys driverKeys = PublishRequests.driverKeys().current();

    PodMounterStage(Path scratch) throws IOException {
        kubelet = new KubeletPaths(scratch.toRealPath().toString());
        plugin = Files.createDirectories(Path.of(kubelet.pluginDirectory()));
        Files.createDirectories(Path.of(kubelet.pods()));
        server = new FakeApiServer(scratch);
        objects = new PodObjects(server);
        pods = new FakePods(mounts, kubelet);
        assignments = newAssignments();
        mounter = newMounter();
        Eventually.until("all is known", () -> assignments.isCurrent());
    }

    private Assignments newAssignments() {
        Duration brief = Duration.ofMillis(100);
        return new Assignments(
                server.client(),
                PodObjects.NODE,
                PodObjects.NAMESPACE,
                "kubectl logs controller",
                AssignmentsTest.QUICK,
                new Assignments.Patience(brief, brief, brief));
    }

    private PodMounter newMounter() throws IOException {
        return new PodMounter(
                mounts,
                new BindMounts(mounts, Path.of(kubelet.pods()), plugin),
                assignments,
                plugin,
                kubelet,
                () -> driverKeys,
                Map.of("AWS_ENDPOINT_URL", "http://s3"),
                warned::add,
                // The pods of these tests run as whoever runs the tests.
                _ -> true);
    }

    /** A driver that knows nothing but what is on disk, in the mount table and in the API server. */
    final void restart() throws IOException {
        stopDriver();
        assignments = newAssignments();
        mounter = newMounter();
    }

    private void stopDriver() {
        mounter.close();
        assignments.close();
    }

    @AfterEach
    final void stop() throws IOException {
        stopDriver();
        server.close();
        pods.close();
    }

    /** A Mountpoint Pod that runs, and serves these workloads. */
    final void runPod(String name, String... workloads) throws IOException {
        pods.start(name);
        objects.run(name);
        assign(name, workloads);
    }

    final void assign(String name, String... workloads) {
        objects.assign("s3pa-" + name, name, workloads);
        awaitPod(name);
    }

    private void awaitPod(String name) {
        Eventually.until(
                "the driver knows " + name,
                () -> assignments.pod(name).isPresent()
                        && assignments.attachmentOf(name).isPresent());
    }

    final Target target(String workload) {
        return new Target(
                Path.of(kubelet.pods(), workload, "volumes/kubernetes.io~csi/pv-1/mount"),
                Optional.of(new Workload(workload, "pv-1")));
    }

    final VolumeMount volume(String... options) {
        return read(PublishRequests.publish(target("x").path())
                .setVolumeCapability(PublishRequests.capability(Mode.MULTI_NODE_MULTI_WRITER, options)));
    }

    final VolumeMount volumeWithSecret(String id, String key) {
        return read(PublishRequests.publish(target("x").path())
                .putVolumeContext("authenticationSource", "secret")
                .putAllSecrets(PublishRequests.secret(id, key)));
    }

    static VolumeMount read(NodePublishVolumeRequest.Builder request) {
        return PublishRequests.read(PublishRequests.reader(), request);
    }

    final void publish(String workload, VolumeMount mount) {
        mounter.mount(mount, target(workload), Deadline.after(LONG));
    }

    final void refresh(String workload, VolumeMount mount) {
        mounter.refresh(target(workload), device(target(workload).path()), mount, Deadline.after(LONG));
    }

    final void unpublish(String workload) {
        Path path = target(workload).path();
        DeviceNumber device = device(path);
        mounts.unmount(path, Unmount.PLAIN);
        mounter.release(target(workload), volume().volume(), device, Deadline.after(LONG));
    }

    final DeviceNumber device(Path path) {
        return mounts.topAt(path).map(MountEntry::device).orElseThrow();
    }

    final Path source(String pod) {
        return Path.of(kubelet.source(pod));
    }

    final boolean isMounted(String pod) {
        return mounts.topAt(source(pod)).isPresent();
    }

    final Path notes(String pod) {
        return plugin.resolve("pods").resolve(pod);
    }

    final void awaitEnd(String pod) {
        Eventually.until(
                "the source of " + pod + " is gone",
                () -> !isMounted(pod) && !Files.exists(source(pod)) && !Files.exists(notes(pod)));
    }

    /** The unmounter has looked at everything that there was when this was called. */
    final void awaitLook() {
        mounter.sweep();
        Eventually.until("nothing is being looked at", () -> mounter.isIdle());
    }

    final String keysOf(String pod) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(pods.comm(pod).resolve("credentials"))) {
            for (Path file : files.filter(name -> name.toString().endsWith("-credentials"))
                    .sorted()
                    .toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    final void assertNothingIsLeft() {
        assertThat(mounts.table()).isEmpty();
        assertThat(mounts.openDescriptors()).isZero();
    }
}
