package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.Eventually;
import s3csi.driver.cluster.FakeApiServer;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.Pulse;
import s3csi.driver.node.source.SourceLocks;
import s3csi.volume.VolumeFailure;

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

    /** Such as one that has filled its directory. */
    @Test
    void aPodThatCannotBeToldIsUnmountedAllTheSame() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        Path comm = pods.comm("mp-1");
        Files.move(comm, comm.resolveSibling("moved"));
        // Nobody, not even root, makes a file there.
        Files.createSymbolicLink(comm, Path.of("/proc/self"));
        sayThatItNeedsUnmount("mp-1");
        awaitEnd("mp-1");
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

    /** As an engine that is slow to take its mount over keeps its source's lock. */
    @Test
    void oneThatIsBusyHoldsUpNoOther() throws Exception {
        Files.createDirectories(pods.comm("mp-slow"));
        objects.run("mp-slow");
        assign("mp-slow", "w-slow");
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> slow = thread.submit(() -> publish("w-slow", volume()));
            Eventually.until("its source is being mounted", () -> isMounted("mp-slow"));
            // The first is asked for before the other: it waits for its lock.
            sayThatItNeedsUnmount("mp-slow");
            mounter.sweep();
            sayThatItNeedsUnmount("mp-1");
            awaitEnd("mp-1");
            assertThat(slow.isDone()).isFalse();
            objects.remove("mp-slow");
            assertThatThrownBy(slow::get).hasCauseInstanceOf(VolumeFailure.class);
        }
        awaitEnd("mp-slow");
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
    void whatChangesWhileTheUnmounterWaitsForASourceCounts() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        unpublish("w-1");
        // Another unmounter, whose locks are this test's.
        mounter.close();
        SourceLocks locks = new SourceLocks();
        PodSources sources =
                new PodSources(mounts, assignments, plugin, kubelet, () -> driverKeys, Map.of(), _ -> true);
        try (PodUnmounts unmounts = new PodUnmounts(assignments, sources, locks, List::of)) {
            try (SourceLocks.Held _ = locks.take("mp-1", Deadline.after(LONG))) {
                sayThatItNeedsUnmount("mp-1");
                Eventually.until("the unmounter waits", () -> locks.users("mp-1") == 2);
                objects.run("mp-1");
                Eventually.until(
                        "the driver knows that it is needed again",
                        () -> assignments
                                .pod("mp-1")
                                .filter(pod -> !pod.needsUnmount())
                                .isPresent());
            }
            Eventually.until("nothing is being looked at", unmounts::isIdle);
            assertThat(isMounted("mp-1")).isTrue();
            assertThat(pods.comm("mp-1").resolve("mount.exit")).doesNotExist();
        }
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
