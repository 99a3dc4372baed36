package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.driver.Eventually;
import s3csi.driver.cluster.FakeApiServer;
import s3csi.driver.cluster.WatchedList.Pace;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.pod.Assignments.Patience;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.Workload;

@Timeout(30)
class AssignmentsTest {
    static final Pace QUICK = new Pace(Duration.ofSeconds(20), Duration.ofMillis(4), Duration.ofMillis(30));

    /** Far apart, so that it shows which of them counted. */
    private static final Duration NEVER = Duration.ofMinutes(5);

    private static final Duration BRIEF = Duration.ofMillis(60);
    private static final Workload WORKLOAD = new Workload("w-1", "pv-1");
    private static final String UNSCHEDULABLE =
            "\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":\"Unschedulable\",\"message\":\"no room\"}]";

    private final FakeApiServer server;
    private final PodObjects objects;
    private Assignments assignments;

    AssignmentsTest(@TempDir Path scratch) throws IOException {
        server = new FakeApiServer(scratch);
        objects = new PodObjects(server);
        assignments = watching(new Patience(BRIEF, BRIEF, BRIEF));
        awaitCurrent();
    }

    private Assignments watching(Patience patience) {
        return new Assignments(
                server.client(), PodObjects.NODE, PodObjects.NAMESPACE, "kubectl logs controller", QUICK, patience);
    }

    private void awaitCurrent() {
        Eventually.until("all is known", () -> assignments.isCurrent());
    }

    private void restart(Patience patience) {
        assignments.close();
        assignments = watching(patience);
    }

    @AfterEach
    void close() {
        assignments.close();
        server.close();
    }

    private ServingPod await(Workload workload) {
        return assignments.awaitRunning(workload, "volume-1", Deadline.after(NEVER));
    }

    private <T extends NodeCause> T failure(Class<T> type, ThrowingCallable call) {
        VolumeFailure failure =
                assertThatExceptionOfType(VolumeFailure.class).isThrownBy(call).actual();
        assertThat(failure.reason()).isInstanceOf(type);
        return type.cast(failure.reason());
    }

    @Test
    void thePodThatListsTheWorkloadServesItOnceItRuns() throws InterruptedException {
        restart(new Patience(NEVER, NEVER, NEVER));
        Thread cluster = Thread.ofVirtual().start(() -> {
            objects.put("mp-1", PodObjects.NO_SECRET, PodObjects.PENDING);
            objects.assign("s3pa-1", "mp-1", "w-0", "w-1");
            objects.run("mp-1");
        });
        assertThat(await(WORKLOAD).name()).isEqualTo("mp-1");
        cluster.join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"w-2 pv-1 volume-1", "w-1 pv-2 volume-1", "w-1 pv-1 volume-2"})
    void anotherWorkloadAndAnotherVolumeAreNotServedByIt(String asked) {
        objects.run("mp-1");
        objects.assign("s3pa-1", "mp-1", "w-1");
        await(WORKLOAD);
        String[] words = asked.split(" ", -1);
        NodeCause.NotAssigned cause = failure(
                NodeCause.NotAssigned.class,
                () -> assignments.awaitRunning(new Workload(words[0], words[1]), words[2], Deadline.after(NEVER)));
        assertThat(cause.controllerLog()).isEqualTo("kubectl logs controller");
    }

    @Test
    void ofSeveralPodsTheOneThatRunsServes() {
        objects.put("mp-1", PodObjects.NO_SECRET, PodObjects.PENDING);
        objects.assign("s3pa-1", "mp-1", "w-1");
        objects.run("mp-2");
        objects.assign("s3pa-2", "mp-2", "w-1");
        objects.put("mp-0", PodObjects.NO_SECRET + "," + PodObjects.NEEDS_UNMOUNT, PodObjects.RUNNING);
        objects.assign("s3pa-0", "mp-0", "w-1");
        objects.put("mp-3", PodObjects.NO_SECRET, "\"phase\":\"Failed\"");
        objects.assign("s3pa-3", "mp-3", "w-1");
        Eventually.until("all are known", () -> assignments.attachmentOf("mp-3").isPresent());
        assertThat(await(WORKLOAD).name()).isEqualTo("mp-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"needs-unmount", "Succeeded", "Failed"})
    void aPodThatEndsServesNobodyElse(String end) {
        boolean isAnnotated = end.equals("needs-unmount");
        objects.put(
                "mp-1",
                isAnnotated ? PodObjects.NO_SECRET + "," + PodObjects.NEEDS_UNMOUNT : PodObjects.NO_SECRET,
                isAnnotated ? PodObjects.RUNNING : "\"phase\":\"" + end + "\"");
        objects.assign("s3pa-1", "mp-1", "w-1");
        restart(new Patience(NEVER, BRIEF, NEVER));
        awaitCurrent();
        assertThat(failure(NodeCause.MountpointPodNotReady.class, () -> await(WORKLOAD))
                        .problem())
                .contains("ended or is about to");
    }

    @Test
    void aControllerThatSaysNothingIsWaitedForBriefly() {
        restart(new Patience(NEVER, BRIEF, NEVER));
        awaitCurrent();
        failure(NodeCause.NotAssigned.class, () -> await(WORKLOAD));
    }

    @Test
    void aPodThatIsHeldUpIsWaitedForBrieflyAndSaysWhy() {
        objects.put(
                "mp-1",
                PodObjects.NO_SECRET,
                "\"phase\":\"Pending\",\"containerStatuses\":[{\"state\":{\"waiting\":{\"reason\":\"ErrImagePull\"}}}]");
        objects.assign("s3pa-1", "mp-1", "w-1");
        restart(new Patience(NEVER, NEVER, BRIEF));
        NodeCause.MountpointPodNotReady cause = failure(NodeCause.MountpointPodNotReady.class, () -> await(WORKLOAD));
        assertThat(cause.problem()).isEqualTo("ErrImagePull");
        assertThat(cause.remedy()).contains("kubectl describe pod -n mount-s3 mp-1");
    }

    @Test
    void aPodThatComesUpIsWaitedForUntilTheDeadline() {
        objects.put("mp-1", PodObjects.NO_SECRET, PodObjects.PENDING);
        objects.assign("s3pa-1", "mp-1", "w-1");
        Eventually.until(
                "both are known", () -> assignments.attachmentOf("mp-1").isPresent());
        NodeCause.MountpointPodNotReady cause = failure(
                NodeCause.MountpointPodNotReady.class,
                () -> assignments.awaitRunning(WORKLOAD, "volume-1", Deadline.after(BRIEF.multipliedBy(4))));
        assertThat(cause.problem()).contains("PENDING");
        assertThat(assignments
                        .awaitAssigned(WORKLOAD, "volume-1", Deadline.after(NEVER))
                        .name())
                .isEqualTo("mp-1");
    }

    /** It is on no node, and so not among those of this one. */
    @Test
    void aPodThatFindsNoNodeSaysWhy() {
        server.put(
                PodObjects.PODS,
                "{\"metadata\":{\"name\":\"mp-1\",\"uid\":\"u\"},\"spec\":{},\"status\":{\"phase\":\"Pending\","
                        + UNSCHEDULABLE + "}}");
        objects.assign("s3pa-1", "mp-1", "w-1");
        Eventually.until(
                "it is assigned", () -> assignments.attachmentOf("mp-1").isPresent());
        assertThat(failure(NodeCause.MountpointPodNotReady.class, () -> await(WORKLOAD))
                        .problem())
                .isEqualTo("Unschedulable: no room");
        server.put(PodObjects.PODS, "{\"metadata\":{\"name\":\"mp-1\",\"uid\":\"u\"}}");
        assertThat(failure(NodeCause.MountpointPodNotReady.class, () -> await(WORKLOAD))
                        .problem())
                .isEqualTo("it is not on this node yet");
        objects.remove("mp-1");
        assertThat(failure(NodeCause.MountpointPodNotReady.class, () -> await(WORKLOAD))
                        .problem())
                .contains("does not exist");
    }

    @Test
    void objectsOfOtherNodesAreNotLookedAt() {
        server.put(
                PodObjects.PODS,
                PodObjects.pod("mp-1", PodObjects.NO_SECRET, PodObjects.RUNNING).replace(PodObjects.NODE, "node-2"));
        objects.run("mp-2");
        Eventually.until("one is known", () -> !assignments.pods().isEmpty());
        assertThat(assignments.pods()).extracting(ServingPod::name).containsExactly("mp-2");
    }

    @Test
    void withoutAnApiServerOnlyARunningPodServesAndTheRestFailsFast() {
        objects.run("mp-1");
        objects.put("mp-2", PodObjects.NO_SECRET, PodObjects.PENDING);
        objects.assign("s3pa-1", "mp-1", "w-1");
        objects.assign("s3pa-2", "mp-2", "w-2");
        restart(new Patience(BRIEF, NEVER, NEVER));
        awaitCurrent();
        server.close();
        Eventually.until("trouble is told", () -> !assignments.isCurrent());
        assertThat(await(WORKLOAD).name()).isEqualTo("mp-1");
        for (String workload : new String[] {"w-2", "w-3"}) {
            assertThat(failure(NodeCause.ClusterUnreachable.class, () -> await(new Workload(workload, "pv-1")))
                            .problem())
                    .contains("cannot be reached");
        }
    }

    @Test
    void aServerThatWasNotAskedYetIsWaitedFor() {
        objects.run("mp-1");
        objects.assign("s3pa-1", "mp-1", "w-1");
        server.interception = (_, exchange) -> FakeApiServer.refuse(exchange, 403, "no rights");
        restart(new Patience(BRIEF, NEVER, NEVER));
        assertThat(failure(NodeCause.ClusterUnreachable.class, () -> await(WORKLOAD))
                        .problem())
                .contains("no rights");
        server.interception = (_, _) -> false;
        restart(new Patience(NEVER, NEVER, NEVER));
        assertThat(await(WORKLOAD).name()).isEqualTo("mp-1");
    }

    @Test
    void aPodThatWasWaitedForMustStillServe() {
        objects.run("mp-1");
        Eventually.until("it is known", () -> assignments.pod("mp-1").isPresent());
        ServingPod pod = assignments.pod("mp-1").orElseThrow();
        assignments.requireServing(pod);
        objects.put("mp-1", PodObjects.NEEDS_UNMOUNT, PodObjects.RUNNING);
        Eventually.until(
                "it is to end", () -> assignments.pod("mp-1").orElseThrow().needsUnmount());
        failure(NodeCause.MountpointPodNotReady.class, () -> assignments.requireServing(pod));
        objects.remove("mp-1");
        Eventually.until("it is gone", () -> assignments.pod("mp-1").isEmpty());
        failure(NodeCause.MountpointPodNotReady.class, () -> assignments.requireServing(pod));
    }
}
