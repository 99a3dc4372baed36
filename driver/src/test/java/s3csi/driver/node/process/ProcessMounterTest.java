package s3csi.driver.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.process.FakeEngines.Behaviour;
import s3csi.driver.node.source.MountedSource;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.MountMessage;
import s3csi.volume.mount.Names;

/** How a volume gets a source and an engine, and who shares them. */
class ProcessMounterTest extends ProcessMounterStage {
    ProcessMounterTest(@TempDir Path scratch) throws IOException {
        super(scratch);
    }

    @Test
    void theEngineGetsOptionsEnvironmentAndOneDescriptor() throws IOException {
        MountedSource source = publish("a", volume("prefix=p/", "aws-max-attempts=3", "endpoint-url=http://evil"));
        String credentials = comm(source).resolve("credentials").toString();
        String profile = source.name() + "-volume-1-s3-csi";
        assertThat(engines.descriptors).containsExactly(1);
        assertThat(engines.messages)
                .containsExactly(new MountMessage(
                        "data",
                        List.of(
                                "--allow-root",
                                "--attribute-changes=ignore",
                                "--force-path-style",
                                "--prefix=p/",
                                "--user-agent-prefix=s3-csi-driver/3.0.0 credential-source#driver"),
                        List.of(
                                "AWS_CONFIG_FILE=" + credentials + "/" + profile + "-config",
                                "AWS_ENDPOINT_URL=http://s3",
                                "AWS_MAX_ATTEMPTS=3",
                                "AWS_PROFILE=" + profile,
                                "AWS_REGION=eu-1",
                                "AWS_SHARED_CREDENTIALS_FILE=" + credentials + "/" + profile + "-credentials",
                                "S3CSI_UPLOAD_NOTES=" + uploads())));
        assertThat(mounts.openDescriptors()).isZero();
    }

    /** Where the engines of the volume note their uploads. */
    private Path uploads() {
        return plugin.resolve("uploads").resolve(Names.digest(List.of("volume-1", "data")));
    }

    @Test
    void notesOfUnfinishedUploadsOutliveTheSource() throws IOException {
        publish("a", volume());
        Path done = Files.createDirectory(uploads().resolve("engine-that-finished"));
        Files.createFile(done.resolve("lock"));
        Path killed = Files.createDirectory(uploads().resolve("engine-that-was-killed"));
        Files.createFile(killed.resolve("lock"));
        Path note = Files.createFile(killed.resolve("upload-1"));
        publish("b", volume("allow-delete"));
        unpublish("a");
        assertThat(done)
                .as("while another engine of the volume runs, nothing is touched")
                .exists();
        unpublish("b");
        assertNothingIsLeft();
        assertThat(done).doesNotExist();
        assertThat(note).exists();
        Files.delete(note);
        publish("a", volume("allow-overwrite"));
        unpublish("a");
        assertThat(uploads()).doesNotExist();
    }

    @Test
    void aReadOnlyVolumeIsMountedReadOnly() {
        MountedSource source = publish("a", volume("read-only"));
        assertThat(mounts.calls).startsWith("mount " + source.name() + " ro");
        assertThat(engines.messages.getFirst().args()).doesNotContain("--read-only");
    }

    @Test
    void targetsThatAgreeShareASource() throws IOException {
        MountedSource first = publish("a", volume());
        assertThat(publish("b", volume())).isEqualTo(first);
        assertThat(engines.starts).isEqualTo(1);
        unpublish("a");
        assertThat(publish("c", volume())).isEqualTo(first);
        unpublish("b");
        unpublish("c");
        assertNothingIsLeft();
    }

    @Test
    void targetsThatDifferDoNot() {
        MountedSource first = publish("a", volume());
        assertThat(publish("b", volume("allow-delete"))).isNotEqualTo(first);
        assertThat(publish("c", volume("read-only"))).isNotEqualTo(first);
        assertThat(publish("d", volumeWithSecret("T", "k"))).isNotEqualTo(first);
        assertThat(publish(
                        "e", read(PublishRequests.publish(targets.resolve("x")).setVolumeId("volume-2"))))
                .isNotEqualTo(first);
        assertThat(publish(
                        "f",
                        read(PublishRequests.publish(targets.resolve("x"))
                                .setVolumeCapability(PublishRequests.ofGroup("7")))))
                .isNotEqualTo(first);
        assertThat(engines.starts).isEqualTo(6);
    }

    @Test
    void anEngineIsToldToEndOnlyWhenItsLastTargetIsGone() {
        Path exit = comm(publish("a", volume())).resolve("mount.exit");
        publish("b", volume());

        unpublish("a");
        mounter.sweep();
        assertThat(exit).doesNotExist();
        assertThat(engines.alive()).isEqualTo(1);

        unpublish("b");
        assertThat(engines.alive()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "CANNOT_START, engine-missing, posix_spawn",
        "DIES_AT_ONCE, engine-failed, Segmentation fault",
        "NEVER_LISTENS, engine-silent, did not take the mount over in time",
        "IS_A_STRANGER, stranger-on-socket, listens there instead",
        "COMPLAINS, no-such-bucket, there is no bucket",
        "DIES_WITH_THE_MOUNT, engine-failed, Segmentation fault",
        "NEVER_SERVES, engine-silent, did not begin to serve in time"
    })
    void anEngineThatFailsLeavesNothingBehindAndTheNextCallHeals(Behaviour behaviour, String word, String words)
            throws IOException {
        engines.behaviour = behaviour;
        boolean hangs = behaviour.name().startsWith("NEVER");
        assertThatThrownBy(() -> mounter.withSource(
                        volume(), targets.resolve("a"), Deadline.after(hangs ? SHORT : LONG), source -> {}))
                .hasMessageContaining(words)
                .satisfies(failure -> assertThat(word(failure)).isEqualTo(word));
        assertNothingIsLeft();
        engines.behaviour = Behaviour.SERVES;
        publish("a", volume());
        unpublish("a");
        assertNothingIsLeft();
    }

    @Test
    void aMountThatIsRefusedLeavesNothingBehind() throws IOException {
        mounts.refused = "mount";
        assertThatThrownBy(() -> publish("a", volume()))
                .satisfies(failure -> assertThat(word(failure)).isEqualTo("mount-refused"));
        assertNothingIsLeft();
    }

    @Test
    void aVolumeIsMountedByBindingItsSource() {
        mounter.mount(volume("read-only"), target("a"), Deadline.after(LONG));
        MountEntry shown = mounts.topAt(targets.resolve("a")).orElseThrow();
        assertThat(shown.isReadOnly()).isTrue();
        assertThat(mounter.published(target("a"), shown.device()).orElseThrow().readOnly())
                .contains(true);
    }

    @Test
    void aUseThatFailsTakesItsSourceAlong() throws IOException {
        VolumeFailure busy = new VolumeFailure(new NodeCause.TargetBusy("t", "x"));
        assertThatThrownBy(() -> mounter.withSource(volume(), targets.resolve("a"), Deadline.after(LONG), _ -> {
                    throw busy;
                }))
                .isSameAs(busy);
        assertNothingIsLeft();
    }

    @Test
    void aUseThatFailsLeavesTheSourceToOthers() {
        MountedSource source = publish("a", volume());
        assertThatThrownBy(() -> mounter.withSource(volume(), targets.resolve("a"), Deadline.after(LONG), _ -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(mounts.topAt(source.path())).isPresent();
    }

    @Test
    void aUseThatFailsLeavesNoNoteOfItsTarget() throws IOException {
        MountedSource source = publish("a", volume());
        List<String> before = names(comm(source).resolve("targets"));
        assertThatThrownBy(() -> mounter.withSource(volume(), targets.resolve("b"), Deadline.after(LONG), _ -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(names(comm(source).resolve("targets"))).isEqualTo(before).hasSize(1);
    }

    @Test
    void aCacheIsTheSourcesOwn() {
        MountedSource source = publish("a", volume("cache /var/cache/of-another", "max-cache-size 10"));
        assertThat(engines.messages.getFirst().args())
                .contains("--cache=" + comm(source).resolve("cache"), "--max-cache-size=10");
        assertThat(comm(source).resolve("cache")).isEmptyDirectory();
    }

    @Test
    void aHundredAtOnceMakeOneMount() throws Exception {
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<MountedSource>> results = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                String target = "t" + i;
                results.add(calls.submit(() -> publish(target, volume())));
            }
            for (Future<MountedSource> result : results) {
                assertThat(result.get())
                        .extracting(MountedSource::device, type(DeviceNumber.class))
                        .isNotNull();
            }
        }
        assertThat(engines.starts).isEqualTo(1);
        assertThat(mounts.table()).hasSize(101);
    }
}
