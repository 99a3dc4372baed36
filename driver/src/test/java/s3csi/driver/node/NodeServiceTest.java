package s3csi.driver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.driver.node.PublishRequests.capability;
import static s3csi.driver.node.PublishRequests.publish;
import static s3csi.driver.node.PublishRequests.unpublish;

import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import s3csi.csi.v1.NodeGetCapabilitiesRequest;
import s3csi.csi.v1.NodeGetInfoRequest;
import s3csi.csi.v1.NodeGetVolumeStatsRequest;
import s3csi.csi.v1.NodeGetVolumeStatsResponse;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.NodePublishVolumeResponse;
import s3csi.csi.v1.NodeServiceCapability.RPC;
import s3csi.csi.v1.NodeUnpublishVolumeRequest;
import s3csi.csi.v1.NodeUnpublishVolumeResponse;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.csi.v1.VolumeCapability.BlockVolume;
import s3csi.driver.grpc.Call;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.Pulse;
import s3csi.driver.node.target.BindMounts;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.Cause;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.Workload;

class NodeServiceTest {
    private final FakeMounts mounts = new FakeMounts();
    private final Path scratch;
    private final Path root;
    private final Path target;
    private final FakeMounter mounter;
    private NodeService service;

    NodeServiceTest(@TempDir Path directory) throws IOException {
        scratch = directory.toRealPath();
        root = Files.createDirectory(scratch.resolve("pods"));
        target = root.resolve("uid/pv/mount");
        mounter = new FakeMounter(mounts, bindMounts(root), scratch.resolve("mnt"));
        service = service(PublishRequests.reader());
    }

    private NodeService service(PublishReader reader) {
        return new NodeService("node-1", reader, bindMounts(root), mounter, new VolumeStats(mounts));
    }

    private BindMounts bindMounts(Path directory) {
        try {
            return new BindMounts(mounts, directory, Files.createDirectories(scratch.resolve("plugin")));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Call<NodePublishVolumeResponse> call(NodePublishVolumeRequest.Builder request) {
        return Call.of(service::nodePublishVolume, request.build());
    }

    private Call<NodeUnpublishVolumeResponse> call(NodeUnpublishVolumeRequest request) {
        return Call.of(service::nodeUnpublishVolume, request);
    }

    private static Arguments row(String name, UnaryOperator<NodePublishVolumeRequest.Builder> change, String words) {
        return Arguments.of(name, change, words);
    }

    static Stream<Arguments> invalidRequests() {
        return Stream.of(
                row("no id", r -> r.setVolumeId(""), "volume ID is required"),
                row("hostile id", r -> r.setVolumeId("a\nb"), "control characters"),
                row("endless id", r -> r.setVolumeId("x".repeat(64 << 10)), "more than 1024 bytes"),
                row("no bucket", NodePublishVolumeRequest.Builder::clearVolumeContext, "Bucket name not provided"),
                row("empty bucket", r -> r.putVolumeContext("bucketName", ""), "Bucket name not provided"),
                row("hostile bucket", r -> r.putVolumeContext("bucketName", "../x"), "cannot be the name"),
                row("no target", r -> r.setTargetPath(""), "target path is required"),
                row("target elsewhere", r -> r.setTargetPath("/etc/passwd"), "is not below"),
                row("relative target", r -> r.setTargetPath("pods/x"), "is not absolute"),
                row("target with detour", r -> r.setTargetPath(r.getTargetPath() + "/../../../x"), "detours"),
                row(
                        "no capability",
                        NodePublishVolumeRequest.Builder::clearVolumeCapability,
                        "capability not provided"),
                row("no mode", r -> r.setVolumeCapability(capability(Mode.UNKNOWN)), "access mode is required"),
                row(
                        "block",
                        r -> r.setVolumeCapability(VolumeCapability.newBuilder()
                                .setBlock(BlockVolume.getDefaultInstance())
                                .setAccessMode(r.getVolumeCapability().getAccessMode())),
                        "cannot be a block device"),
                row(
                        "no access type",
                        r -> r.setVolumeCapability(
                                r.getVolumeCapability().toBuilder().clearMount()),
                        "access type is required"),
                row("group", r -> r.setVolumeCapability(PublishRequests.ofGroup("x,allow_other")), "number of a group"),
                row(
                        "option",
                        r -> r.setVolumeCapability(capability(Mode.MULTI_NODE_MULTI_WRITER, "prefix a\nb")),
                        "control characters"),
                row(
                        "comma",
                        r -> r.setVolumeCapability(capability(Mode.MULTI_NODE_MULTI_WRITER, "ro,suid")),
                        "cannot be the name of an option"),
                row("source", r -> r.putVolumeContext("authenticationSource", "pod"), "unknown authenticationSource"),
                row(
                        "secret",
                        r -> r.putVolumeContext("authenticationSource", "secret")
                                .putAllSecrets(PublishRequests.secret("id", "canary\n[default]")),
                        "missing or invalid keys in Kubernetes Secret: secret_access_key"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("invalidRequests")
    void whatIsWrongWithARequestIsSaidBeforeAnythingHappens(
            String name, UnaryOperator<NodePublishVolumeRequest.Builder> change, String words) {
        assertThat(call(change.apply(publish(target))).refused(Code.INVALID_ARGUMENT))
                .contains(words)
                .doesNotContain("canary")
                .hasSizeLessThan(600);
        assertThat(mounter.provided).isEmpty();
        assertThat(mounts.calls).isEmpty();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void withoutKeysNothingIsMounted() {
        service = service(PublishRequests.reader(Map.of()));
        call(publish(target)).refused(Code.UNAUTHENTICATED);
        assertThat(mounter.provided).isEmpty();
    }

    @Test
    void aPublicBucketNeedsNone() {
        service = service(PublishRequests.reader(Map.of()));
        call(publish(target).setVolumeCapability(capability(Mode.MULTI_NODE_MULTI_WRITER, "no-sign-request")))
                .given();
        assertThat(mounter.provided)
                .singleElement()
                .satisfies(mount -> assertThat(mount.keys()).isEmpty());
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNKNOWN", "UNRECOGNIZED"})
    void everyModeOfAMountWorks(Mode mode) throws IOException {
        call(publish(target).setVolumeCapability(capability(mode))).given();
        boolean readers = mode.name().endsWith("READER_ONLY");
        assertThat(mounts.calls).containsExactly("bind mount " + (readers ? "ro" : "rw"));
        assertThat(mounter.provided.getFirst().plan().readOnly()).isEqualTo(readers);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rwxr-xr-x");
    }

    @ParameterizedTest
    @CsvSource({"true, '', true, false", "false, read-only, true, true", "false, allow-delete, false, false"})
    void readOnlyIsForThisWorkloadOrForAll(boolean asked, String option, boolean target, boolean source) {
        NodePublishVolumeRequest.Builder request = publish(this.target).setReadonly(asked);
        if (!option.isEmpty()) {
            request.setVolumeCapability(capability(Mode.MULTI_NODE_MULTI_WRITER, option));
        }
        call(request).given();
        assertThat(mounts.calls).containsExactly("bind mount " + (target ? "ro" : "rw"));
        assertThat(mounter.provided.getFirst().plan().readOnly()).isEqualTo(source);
    }

    @Test
    void theGroupOfTheWorkloadReachesTheEngine() {
        call(publish(target).setVolumeCapability(PublishRequests.ofGroup("2000")))
                .given();
        assertThat(mounter.provided.getFirst().plan().options().arguments()).contains("--gid=2000", "--allow-other");
    }

    @Test
    void keysOfTheSecretAreUsedWithItsRegion() {
        call(publish(target)
                        .putVolumeContext("authenticationSource", "secret")
                        .putAllSecrets(PublishRequests.secret("TENANT", "key"))
                        .putSecrets("region", "eu-7"))
                .given();
        VolumeMount mount = mounter.provided.getFirst();
        assertThat(mount.source()).isEqualTo(AuthenticationSource.SECRET);
        assertThat(mount.keys().orElseThrow().accessKeyId()).isEqualTo("TENANT");
        assertThat(mount.plan().options().arguments())
                .contains("--region=eu-7", "--user-agent-prefix=s3-csi-driver/3.0.0 credential-source#secret");
    }

    @Test
    void secretsOfAHandMadeVolumeOfTheDriverAreIgnored() {
        call(publish(target)
                        .putAllSecrets(PublishRequests.secret("TENANT", "key"))
                        .putSecrets("region", "eu-7"))
                .given();
        VolumeMount mount = mounter.provided.getFirst();
        assertThat(mount.keys().orElseThrow().accessKeyId()).isEqualTo("DRIVER");
        assertThat(mount.plan().options().arguments()).doesNotContain("--region=eu-7");
    }

    @Test
    void publishingAgainRefreshesKeysAndMountsNothing() {
        call(publish(target)).given();
        mounts.calls.clear();
        for (int i = 0; i < 5; i++) {
            call(publish(target)).given();
        }
        assertThat(mounts.calls).isEmpty();
        assertThat(mounter.refreshed).hasSize(5);
        assertThat(mounter.provided).hasSize(1);
    }

    @Test
    void publishingAgainWithOtherRightsIsRefused() {
        call(publish(target)).given();
        assertThat(call(publish(target).setReadonly(true)).refused(Code.ALREADY_EXISTS))
                .contains("writable");
    }

    @Test
    void publishingAgainWithAnotherBucketOrGroupIsRefused() {
        call(publish(target)).given();
        assertThat(call(publish(target).putVolumeContext("bucketName", "other")).refused(Code.ALREADY_EXISTS))
                .contains("other");
        assertThat(call(publish(target).setVolumeCapability(PublishRequests.ofGroup("7")))
                        .refused(Code.ALREADY_EXISTS))
                .contains("group 7");
        assertThat(mounter.refreshed).isEmpty();
        call(publish(target).setVolumeCapability(capability(Mode.MULTI_NODE_MULTI_WRITER, "allow-delete")))
                .given();
    }

    @Test
    void aTargetThatWasLeftWritableBecomesReadOnly() {
        mounter.provided.add(
                PublishRequests.read(PublishRequests.reader(), publish(target).setReadonly(true)));
        mounts.bind(scratch.resolve("mnt"), makeTarget(), false);
        mounts.calls.clear();
        call(publish(target).setReadonly(true)).given();
        assertThat(mounts.calls).containsExactly("read-only mount");
        assertThat(mounts.topAt(target).orElseThrow().isReadOnly()).isTrue();
        call(publish(target).setReadonly(true)).given();
        assertThat(mounts.calls).hasSize(1);
    }

    private Path makeTarget() {
        try {
            return Files.createDirectories(target);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aVolumeThatWantsASecretIsRefusedWithoutOne() {
        NodePublishVolumeRequest.Builder request = publish(target).putVolumeContext("authenticationSource", "secret");
        assertThat(call(request).refused(Code.INVALID_ARGUMENT)).contains("--driver-keys-without-secret");
        assertThat(mounter.provided).isEmpty();
        service = service(PublishRequests.generousReader());
        call(request).given();
        assertThat(mounter.provided.getFirst().keys().orElseThrow().accessKeyId())
                .isEqualTo("DRIVER");
    }

    @Test
    void aPublicBucketNeedsNoSecretEither() {
        call(publish(target)
                        .putVolumeContext("authenticationSource", "secret")
                        .setVolumeCapability(capability(Mode.MULTI_NODE_MULTI_WRITER, "no-sign-request")))
                .given();
    }

    @Test
    void aTargetOfAnotherVolumeIsNotUnpublished() {
        call(publish(target)).given();
        mounts.calls.clear();
        assertThat(call(unpublish(target).toBuilder().setVolumeId("other").build())
                        .refused(Code.NOT_FOUND))
                .contains("another volume");
        assertThat(mounts.calls).isEmpty();
        assertThat(mounts.topAt(target)).isPresent();
        assertThat(mounter.released).isEmpty();
    }

    @Test
    void anotherVolumeIsNotLookedAt() {
        call(publish(target)).given();
        assertThat(stats("other", target.toString()).refused(Code.NOT_FOUND)).contains("another volume");
    }

    @Test
    void aWorkingMountOfUnknownOriginIsLeftAlone() {
        call(publish(target)).given();
        mounter.isSource = false;
        call(publish(target)).given();
        assertThat(mounts.calls).hasSize(1);
    }

    @Test
    void aDeadTargetIsTakenAwayAndPublishedAnew() {
        call(publish(target)).given();
        mounts.setPulse(mounter.device(), FakeMounts.DEAD);
        mounts.calls.clear();
        call(publish(target)).given();
        assertThat(mounts.calls).containsExactly("DETACH mount", "bind mount rw");
        assertThat(mounter.provided).hasSize(2);
    }

    @Test
    void severalDeadLayersAreTakenAway() {
        call(publish(target)).given();
        mounts.bind(scratch.resolve("mnt"), target, false);
        mounts.setPulse(mounter.device(), FakeMounts.DEAD);
        call(publish(target)).given();
        assertThat(mounts.table()).filteredOn(entry -> entry.isAt(target)).hasSize(1);
    }

    @Test
    void aSilentTargetIsLeftAlone() {
        call(publish(target)).given();
        mounts.setPulse(mounter.device(), new Pulse.Silent());
        mounts.calls.clear();
        assertThat(call(publish(target)).refused(Code.UNAVAILABLE)).contains("did not answer");
        assertThat(mounts.calls).isEmpty();
    }

    @Test
    void whatSomebodyElseMountedIsNeverCovered() throws IOException {
        Files.createDirectories(target);
        mounts.add(target, "tmpfs", "tmpfs", false);
        assertThat(call(publish(target)).refused(Code.ALREADY_EXISTS)).contains("tmpfs");
        call(unpublish(target)).refused(Code.ALREADY_EXISTS);
        assertThat(mounts.calls).isEmpty();
    }

    @Test
    void aTargetInsideOfAVolumeIsRefused() throws IOException {
        Path outer = Files.createDirectories(root.resolve("outer"));
        mounts.add(outer, MountCalls.SOURCE_NAME, "fuse", false);
        assertThat(call(publish(outer.resolve("inner"))).refused(Code.ALREADY_EXISTS))
                .contains("inside of");
        call(unpublish(outer.resolve("inner"))).refused(Code.ALREADY_EXISTS);
        assertThat(outer).isEmptyDirectory();
    }

    @Test
    void symbolicLinksAreNotFollowed() throws IOException {
        Path elsewhere = Files.createDirectories(scratch.resolve("elsewhere/pv/mount"));
        Files.createSymbolicLink(root.resolve("uid"), scratch.resolve("elsewhere"));
        Files.createSymbolicLink(root.resolve("link"), elsewhere);
        for (Path path : new Path[] {target, root.resolve("link")}) {
            assertThat(call(publish(path)).refused(Code.INVALID_ARGUMENT)).contains("symbolic link");
            call(unpublish(path)).given();
        }
        assertThat(elsewhere).isEmptyDirectory();
        assertThat(root.resolve("link")).isSymbolicLink();
        assertThat(mounts.calls).isEmpty();
    }

    @Test
    void aFileAtTheTargetIsRefused() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "mine");
        assertThat(call(publish(file)).refused(Code.ALREADY_EXISTS)).contains("a regular file");
        assertThat(call(publish(file.resolve("x"))).refused(Code.ALREADY_EXISTS))
                .contains("a regular file");
        call(unpublish(file)).given();
        assertThat(file).hasContent("mine");
    }

    @Test
    void aMounterLearnsWhoseTargetItIs() {
        call(publish(root.resolve("elsewhere"))).given();
        call(publish(root.resolve("uid-1/volumes/kubernetes.io~csi/pv-1/mount")))
                .given();
        assertThat(mounter.workloads).containsExactly(Optional.empty(), Optional.of(new Workload("uid-1", "pv-1")));
    }

    /** A root that holds the driver's directory, too, such as all of kubelet's. */
    @Test
    void noTargetCoversWhatTheDriverKeeps() {
        service = new NodeService(
                "node-1", PublishRequests.reader(), bindMounts(scratch), mounter, new VolumeStats(mounts));
        Path plugin = scratch.resolve("plugin");
        for (Path own : List.of(plugin, plugin.resolve("comm"), plugin.resolve("comm/mp-1/credentials"))) {
            assertThat(call(publish(own)).refused(Code.INVALID_ARGUMENT)).contains("the driver's own directory");
            assertThat(call(unpublish(own)).refused(Code.INVALID_ARGUMENT)).contains("the driver's own directory");
        }
        assertThat(plugin).isEmptyDirectory();
        call(publish(target)).given();
        call(unpublish(scratch.resolve("plugin-of-another"))).given();
    }

    @Test
    void theRootMayBeReachedByALink() throws IOException {
        Path link = Files.createSymbolicLink(scratch.resolve("kubelet"), root);
        service =
                new NodeService("node-1", PublishRequests.reader(), bindMounts(link), mounter, new VolumeStats(mounts));
        call(publish(link.resolve("uid/pv/mount"))).given();
        assertThat(mounts.topAt(target)).isPresent();
        call(unpublish(target)).given();
        assertThat(mounts.topAt(target)).isEmpty();
    }

    @Test
    void aBindThatFailsLeavesNoDirectory() {
        mounts.refused = "bind";
        assertThat(call(publish(target)).refused(Code.INTERNAL)).contains("EPERM");
        assertThat(root).isEmptyDirectory();
        mounts.refused = null;
        call(publish(target)).given();
    }

    @Test
    void theMountersFailureKeepsItsCode() {
        mounter.failure = new VolumeFailure(new NodeCause.FuseMissing("open /dev/fuse: ENOENT"));
        assertThat(call(publish(target)).refused(Code.FAILED_PRECONDITION)).contains("/dev/fuse");
        mounter.failure = new VolumeFailure(new Cause.NoSuchBucket("data"));
        call(publish(target)).refused(Code.NOT_FOUND);
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void aSecondCallForATargetIsTurnedAway() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        mounter.before = () -> {
            begun.countDown();
            try {
                assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        Thread first = Thread.ofVirtual().start(() -> call(publish(target)).given());
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        call(publish(target)).refused(Code.ABORTED);
        call(unpublish(target)).refused(Code.ABORTED);
        goOn.countDown();
        first.join();
        assertThat(mounts.calls).containsExactly("bind mount rw");
    }

    @Test
    void unpublishTakesMountAndDirectoryAway() {
        call(publish(target)).given();
        call(unpublish(target)).given();
        assertThat(mounts.topAt(target)).isEmpty();
        assertThat(target).doesNotExist();
        assertThat(mounter.released).containsExactly(mounter.device());
        call(unpublish(target)).given();
        assertThat(mounter.released).hasSize(1);
    }

    @Test
    void unpublishTakesSeveralLayersAway() {
        call(publish(target)).given();
        mounts.bind(scratch.resolve("mnt"), target, false);
        call(unpublish(target)).given();
        assertThat(mounts.topAt(target)).isEmpty();
    }

    @Test
    void unpublishOfNothingIsDone() throws IOException {
        call(unpublish(target)).given();
        Files.createDirectories(target);
        call(unpublish(target)).given();
        assertThat(target).doesNotExist();
        Files.writeString(Files.createDirectories(target).resolve("file"), "mine");
        call(unpublish(target)).given();
        assertThat(target.resolve("file")).hasContent("mine");
    }

    @Test
    void unpublishNamesWhatItNeeds() {
        call(unpublish(target).toBuilder().setVolumeId("").build()).refused(Code.INVALID_ARGUMENT);
        call(unpublish(target).toBuilder().setTargetPath("").build()).refused(Code.INVALID_ARGUMENT);
        call(unpublish(Path.of("/etc"))).refused(Code.INVALID_ARGUMENT);
    }

    @Test
    void aBusyTargetIsTriedAgainLater() {
        call(publish(target)).given();
        mounts.setBusy(target);
        assertThat(call(unpublish(target)).refused(Code.UNAVAILABLE)).contains("while something uses it");
        assertThat(mounts.topAt(target)).isPresent();
        mounts.setFree(target);
        call(unpublish(target)).given();
    }

    static List<Pulse> pulsesOfNobody() {
        return List.of(FakeMounts.DEAD, new Pulse.Silent());
    }

    @ParameterizedTest
    @MethodSource("pulsesOfNobody")
    void aBusyTargetThatNobodyServesGoes(Pulse pulse) {
        call(publish(target)).given();
        mounts.setBusy(target);
        mounts.setPulse(mounter.device(), pulse);
        call(unpublish(target)).given();
        assertThat(mounts.topAt(target)).isEmpty();
        assertThat(mounter.released).hasSize(1);
    }

    @Test
    void aSourceThatCannotEndIsNotTheWorkloadsProblem() {
        call(publish(target)).given();
        mounter.failure = new VolumeFailure(new Cause.OperationPending("mp-1"));
        call(unpublish(target)).given();
        assertThat(mounter.released).hasSize(1);
    }

    private Call<NodeGetVolumeStatsResponse> stats(String volume, String path) {
        return Call.of(
                service::nodeGetVolumeStats,
                NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(volume)
                        .setVolumePath(path)
                        .build());
    }

    @Test
    void statisticsAreThoseOfTheFileSystem() {
        call(publish(target)).given();
        NodeGetVolumeStatsResponse stats =
                stats(PublishRequests.VOLUME, target.toString()).given();
        assertThat(stats.getVolumeCondition().getAbnormal()).isFalse();
        assertThat(stats.getUsage(0).getTotal()).isEqualTo(409_600);
        assertThat(stats.getUsage(0).getUsed()).isEqualTo(163_840);
        assertThat(stats.getUsage(0).getAvailable()).isEqualTo(204_800);
        assertThat(stats.getUsage(1).getTotal()).isEqualTo(10);
        assertThat(stats.getUsage(1).getUsed()).isEqualTo(3);
    }

    @Test
    void aVolumeThatDoesNotWorkIsAbnormal() {
        call(publish(target)).given();
        mounts.setPulse(mounter.device(), FakeMounts.DEAD);
        assertThat(stats(PublishRequests.VOLUME, target.toString()).given().getVolumeCondition())
                .satisfies(condition -> assertThat(condition.getAbnormal()).isTrue())
                .satisfies(condition -> assertThat(condition.getMessage()).contains("is gone"));
    }

    @Test
    void statisticsNeedAVolumeThatIsThere() {
        stats("v", target.toString()).refused(Code.NOT_FOUND);
        stats("v", "some/path").refused(Code.NOT_FOUND);
        stats("v", "/some/path").refused(Code.NOT_FOUND);
        stats("", target.toString()).refused(Code.INVALID_ARGUMENT);
        stats("v", "").refused(Code.INVALID_ARGUMENT);
    }

    @Test
    void saysWhatItCanAndWhoItIs() {
        assertThat(Call.of(service::nodeGetCapabilities, NodeGetCapabilitiesRequest.getDefaultInstance())
                        .given()
                        .getCapabilitiesList())
                .extracting(capability -> capability.getRpc().getType())
                .containsExactly(RPC.Type.VOLUME_MOUNT_GROUP, RPC.Type.GET_VOLUME_STATS, RPC.Type.VOLUME_CONDITION);
        assertThat(Call.of(service::nodeGetInfo, NodeGetInfoRequest.getDefaultInstance())
                        .given()
                        .getNodeId())
                .isEqualTo("node-1");
    }
}
