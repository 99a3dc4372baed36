package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.Eventually;
import s3csi.driver.cluster.FakeApiServer;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.Pulse;

/** When a source ends. */
@Timeout(60)
class PodUnmountsTest extends PodMounterStage {
    PodUnmountsTest(@TempDir Path scratch) throws IOException {
        super(scratch);
    }

    private void sayThatItNeedsUnmount(String pod) {
        objects.put(pod, PodObjects.NO_SECRET + "," + PodObjects.NEEDS_UNMOUNT, PodObjects.RUNNING);
    }

    private void awaitExit(String pod) {
        Eventually.until("the engine is told", () -> Files.exists(pods.comm(pod).resolve("mount.exit")));
    }

    @Test
    void aSourceThatNobodyUsesStaysUntilTheControllerSaysSo() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        awaitLook();
        assertThat(isMounted("mp-1")).isTrue();
        assertThat(pods.comm("mp-1").resolve("mount.exit")).doesNotExist();
        sayThatItNeedsUnmount("mp-1");
        awaitEnd("mp-1");
        assertThat(pods.comm("mp-1").resolve("mount.exit")).exists();
        assertNothingIsLeft();
    }

    @Test
    void aSourceThatIsUsedStaysUntilItsLastTargetIsReleased() throws IOException {
        runPod("mp-1", "w-1", "w-2");
        publish("w-1", volume());
        publish("w-2", volume());
        sayThatItNeedsUnmount("mp-1");
        awaitExit("mp-1");
        awaitLook();
        assertThat(isMounted("mp-1")).isTrue();
        unpublish("w-1");
        awaitLook();
        assertThat(isMounted("mp-1")).isTrue();
        unpublish("w-2");
        awaitEnd("mp-1");
        assertNothingIsLeft();
    }

    @Test
    void aPodThatEndedOrIsGoneHasNoSource() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        objects.put("mp-1", PodObjects.NO_SECRET, "\"phase\":\"Succeeded\"");
        awaitEnd("mp-1");
        runPod("mp-2", "w-2");
        publish("w-2", volume());
        unpublish("w-2");
        objects.remove("mp-2");
        awaitEnd("mp-2");
        assertNothingIsLeft();
    }

    @Test
    void aSourceInWhichAProgramWorksIsNotCutOff() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        mounts.setBusy(source("mp-1"));
        sayThatItNeedsUnmount("mp-1");
        awaitExit("mp-1");
        awaitLook();
        assertThat(isMounted("mp-1")).isTrue();
        mounts.setFree(source("mp-1"));
        mounter.sweep();
        awaitEnd("mp-1");
    }

    @Test
    void anEngineThatDoesNotAnswerIsCutOffWhenItsSourceIsToEnd() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        mounts.setBusy(source("mp-1"));
        mounts.setPulse(device(source("mp-1")), new Pulse.Silent());
        sayThatItNeedsUnmount("mp-1");
        awaitEnd("mp-1");
    }

    @Test
    void aSourceWhosePodIsUnknownStaysUntilTheApiServerIsHeard() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        leave("mp-gone");
        server.interception = (_, exchange) -> FakeApiServer.refuse(exchange, 403, "no rights");
        restart();
        Eventually.until(
                "trouble is told",
                () -> assignments
                        .trouble()
                        .filter(text -> text.contains("no rights"))
                        .isPresent());
        awaitLook();
        assertThat(isMounted("mp-1")).isTrue();
        assertThat(isMounted("mp-gone")).isTrue();
        server.interception = (_, _) -> false;
        awaitEnd("mp-gone");
        assertThat(isMounted("mp-1")).isTrue();
    }

    /** A source that some driver left. */
    private void leave(String name) throws IOException {
        Files.createDirectories(source(name));
        mounts.setPulse(mounts.add(source(name), MountCalls.SOURCE_NAME, "fuse", false), FakeMounts.ALIVE);
    }

    @Test
    void whatAKilledDriverRemovedHalfIsRemovedWhole() throws IOException {
        Files.createDirectories(source("mp-directory"));
        Files.createDirectories(notes("mp-notes").resolve("targets"));
        Files.createDirectories(source("not-ours"));
        mounter.sweep();
        awaitEnd("mp-directory");
        awaitEnd("mp-notes");
        assertThat(source("not-ours")).exists();
    }

    @Test
    void theSourceOfAnEngineInAProcessIsNeverTouched() throws IOException {
        Files.createDirectories(plugin.resolve("comm/mp-process"));
        leave("mp-process");
        mounts.bind(source("mp-process"), target("w-1").path(), false);
        assertThat(mounter.published(target("w-1"), device(target("w-1").path())))
                .isEmpty();
        unpublish("w-1");
        awaitLook();
        assertThat(isMounted("mp-process")).isTrue();
        assertThat(source("mp-process")).exists();
    }

    @Test
    void anUnmounterThatCouldNotLookLooksAgain() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        // Whatever keeps it from listing the sources for a while.
        Files.move(plugin.resolve("pods"), plugin.resolve("moved"));
        Files.writeString(plugin.resolve("pods"), "");
        objects.run("mp-2");
        Eventually.until("it is known", () -> assignments.pod("mp-2").isPresent());
        Files.delete(plugin.resolve("pods"));
        Files.move(plugin.resolve("moved"), plugin.resolve("pods"));
        sayThatItNeedsUnmount("mp-1");
        awaitEnd("mp-1");
    }
}
