package s3csi.reconciler.model;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.reconciler.model.Samples.NOW;
import static s3csi.reconciler.model.Samples.RELEASE;
import static s3csi.reconciler.model.Samples.VOLUME;
import static s3csi.reconciler.model.Samples.pod;
import static s3csi.reconciler.model.Samples.workload;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.PodPhase;
import s3csi.kubernetes.SharingKey;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.volume.mount.Names;
import s3csi.volume.mount.Workload;

class AssignmentTest {
    private static final WorkloadPod A = workload("a");
    private static final SharingKey KEY = VOLUME.keyFor(A);
    private static final Instant BEFORE = NOW.minusSeconds(60);

    private final List<KnownAttachment> attachments = new ArrayList<>();
    private final Map<String, MountpointPod> pods = new HashMap<>();

    private static String ownPod(String uid, int attempt) {
        return Names.mountpointPod(new Workload(uid, "pv-1"), attempt);
    }

    private List<Step> decide(WorkloadPod workload, WorkloadPod... others) {
        List<WorkloadPod> all =
                Stream.concat(Stream.of(workload), Stream.of(others)).toList();
        return Assignment.decide(RELEASE, workload, all, VOLUME, new ClusterView(attachments, pods), NOW);
    }

    private static List<Step> steps(Step... steps) {
        return List.of(steps);
    }

    private static final List<Step> NOTHING = steps();

    private static WorkloadAttachment listed(String uid) {
        return new WorkloadAttachment(uid, BEFORE);
    }

    private static WorkloadAttachment joins(String uid) {
        return new WorkloadAttachment(uid, NOW);
    }

    private static PodAttachmentSpec spec(Map<String, List<WorkloadAttachment>> workloads) {
        return new PodAttachmentSpec(KEY, workloads);
    }

    private KnownAttachment attachment(Map<String, List<WorkloadAttachment>> workloads) {
        return attachment(spec(workloads));
    }

    private KnownAttachment attachment(PodAttachmentSpec spec) {
        int number = attachments.size();
        KnownAttachment attachment =
                new KnownAttachment("s3pa-" + number, "uid-" + number, "1", BEFORE.plusSeconds(number), spec);
        attachments.add(attachment);
        return attachment;
    }

    private void there(MountpointPod pod) {
        pods.put(pod.name(), pod);
    }

    @Test
    void theFirstWorkloadGetsAPodAndThenAnAttachment() {
        assertThat(decide(A))
                .isEqualTo(steps(
                        new Step.CreatePod(ownPod("a", 0)),
                        new Step.CreateAttachment(spec(Map.of(ownPod("a", 0), List.of(joins("a")))))));
    }

    @Test
    void aPodWithoutAttachmentIsTakenUpAfterACrash() {
        there(pod(ownPod("a", 0), "a"));
        assertThat(decide(A))
                .isEqualTo(steps(new Step.CreateAttachment(spec(Map.of(ownPod("a", 0), List.of(joins("a")))))));
    }

    @Test
    void aSecondWorkloadJoins() {
        there(pod("mp-1", "b"));
        KnownAttachment seen = attachment(Map.of("mp-1", List.of(listed("b"))));
        assertThat(decide(A))
                .isEqualTo(steps(new Step.UpdateAttachment(
                        seen, spec(Map.of("mp-1", List.of(listed("b"), joins("a")))))));
    }

    @Test
    void aWorkloadThatIsServedCostsNothing() {
        there(pod("mp-1", "a"));
        attachment(Map.of("mp-1", List.of(listed("a"))));
        assertThat(decide(A)).isEqualTo(NOTHING);
        assertThat(decide(Samples.in(PodPhase.RUNNING, A))).isEqualTo(NOTHING);
        assertThat(decide(Samples.terminating(Samples.in(PodPhase.RUNNING, A)))).isEqualTo(NOTHING);
    }

    static Stream<Named<MountpointPod>> unsuitable() {
        return Stream.of(
                Named.of("another release", pod("mp-1", "b", PodPhase.RUNNING, false, "2.1.1", false, false)),
                Named.of("no release", pod("mp-1", "b", PodPhase.RUNNING, false, "", false, false)),
                Named.of("terminating", pod("mp-1", "b", PodPhase.RUNNING, true, RELEASE, false, false)),
                Named.of("to be unmounted", pod("mp-1", "b", PodPhase.RUNNING, false, RELEASE, true, false)),
                Named.of("closed by hand", pod("mp-1", "b", PodPhase.RUNNING, false, RELEASE, false, true)),
                Named.of("failed", pod("mp-1", "b", PodPhase.FAILED, false, RELEASE, false, false)),
                Named.of("succeeded", pod("mp-1", "b", PodPhase.SUCCEEDED, false, RELEASE, false, false)));
    }

    @ParameterizedTest
    @MethodSource("unsuitable")
    void aPodThatTakesNoWorkloadsGetsANeighbour(MountpointPod unsuitable) {
        there(unsuitable);
        KnownAttachment seen = attachment(Map.of("mp-1", List.of(listed("b"))));
        assertThat(decide(A))
                .isEqualTo(steps(
                        new Step.CreatePod(ownPod("a", 0)),
                        new Step.UpdateAttachment(
                                seen,
                                spec(Map.of("mp-1", List.of(listed("b")), ownPod("a", 0), List.of(joins("a")))))));
    }

    @Test
    void aPodThatFailedIsReplacedUnderAnotherName() {
        String first = ownPod("a", 0);
        there(pod(first, "a", PodPhase.FAILED, false, RELEASE, false, false));
        KnownAttachment seen = attachment(Map.of(first, List.of(listed("a"))));
        assertThat(decide(Samples.in(PodPhase.RUNNING, A)))
                .isEqualTo(steps(
                        new Step.CreatePod(ownPod("a", 1)),
                        new Step.DeletePod(first),
                        new Step.UpdateAttachment(seen, spec(Map.of(ownPod("a", 1), List.of(joins("a")))))));
    }

    @Test
    void aPodThatVanishedIsReplacedForAllItsWorkloads() {
        String first = ownPod("a", 0);
        KnownAttachment seen = attachment(Map.of(first, List.of(listed("a"), listed("b"))));
        assertThat(decide(A))
                .isEqualTo(steps(
                        new Step.CreatePod(ownPod("a", 1)),
                        new Step.UpdateAttachment(
                                seen, spec(Map.of(first, List.of(listed("b")), ownPod("a", 1), List.of(joins("a")))))));
        there(pod(ownPod("a", 1), "a"));
        attachments.clear();
        KnownAttachment then = attachment(Map.of(first, List.of(listed("b")), ownPod("a", 1), List.of(listed("a"))));
        assertThat(decide(workload("b")))
                .isEqualTo(steps(new Step.UpdateAttachment(
                        then, spec(Map.of(ownPod("a", 1), List.of(listed("a"), joins("b")))))));
    }

    @Test
    void aPodThatEndsServesThoseThatHaveItMounted() {
        there(pod("mp-1", "a", PodPhase.RUNNING, true, RELEASE, false, false));
        KnownAttachment seen = attachment(Map.of("mp-1", List.of(listed("a"))));
        assertThat(decide(Samples.in(PodPhase.RUNNING, A))).isEqualTo(NOTHING);
        assertThat(decide(A))
                .as("one that has not mounted yet would lose it at once")
                .isEqualTo(steps(
                        new Step.CreatePod(ownPod("a", 0)),
                        new Step.RequestUnmount("mp-1"),
                        new Step.UpdateAttachment(seen, spec(Map.of(ownPod("a", 0), List.of(joins("a")))))));
    }

    @Test
    void aNameThatIsStillEndingIsNotUsed() {
        there(pod(ownPod("a", 0), "a", PodPhase.RUNNING, true, RELEASE, false, false));
        there(pod(ownPod("a", 1), "a", PodPhase.FAILED, false, RELEASE, false, false));
        assertThat(decide(A))
                .isEqualTo(steps(
                        new Step.CreatePod(ownPod("a", 2)),
                        new Step.CreateAttachment(spec(Map.of(ownPod("a", 2), List.of(joins("a")))))));
    }

    @Test
    void theLastWorkloadTakesItsPodAndAttachmentAlong() {
        there(pod("mp-1", "a"));
        KnownAttachment seen = attachment(Map.of("mp-1", List.of(listed("a"))));
        assertThat(decide(Samples.in(PodPhase.SUCCEEDED, A)))
                .isEqualTo(steps(new Step.RequestUnmount("mp-1"), new Step.DeleteAttachment(seen)));
        assertThat(decide(Samples.terminating(A)))
                .as("it never began")
                .isEqualTo(steps(new Step.RequestUnmount("mp-1"), new Step.DeleteAttachment(seen)));
    }

    @Test
    void aWorkloadLeavesTheOthersServed() {
        there(pod("mp-1", "a"));
        KnownAttachment seen = attachment(Map.of("mp-1", List.of(listed("a"), listed("b"))));
        assertThat(decide(Samples.in(PodPhase.FAILED, A)))
                .isEqualTo(steps(new Step.UpdateAttachment(seen, spec(Map.of("mp-1", List.of(listed("b")))))));
    }

    @Test
    void aWorkloadIsFoundAlsoWhenItsOptionsWereEdited() {
        there(pod("mp-1", "a"));
        SharingKey old = new SharingKey("node-1", "pv-1", "handle-1", "allow-delete", "");
        KnownAttachment seen = attachment(new PodAttachmentSpec(old, Map.of("mp-1", List.of(listed("a")))));
        assertThat(decide(A)).isEqualTo(NOTHING);
        assertThat(decide(Samples.in(PodPhase.SUCCEEDED, A)))
                .isEqualTo(steps(new Step.RequestUnmount("mp-1"), new Step.DeleteAttachment(seen)));
        pods.clear();
        assertThat(decide(A))
                .as("the pod vanished: it comes back with the options of now")
                .isEqualTo(steps(
                        new Step.CreatePod(ownPod("a", 0)),
                        new Step.CreateAttachment(spec(Map.of(ownPod("a", 0), List.of(joins("a"))))),
                        new Step.DeleteAttachment(seen)));
    }

    @Test
    void whatAnEarlierReleaseHadEmptiedIsFinished() {
        there(pod("mp-1", "a"));
        there(pod("mp-2", "b", PodPhase.RUNNING, false, "2.1.1", false, false));
        KnownAttachment seen = attachment(Map.of("mp-1", List.of(listed("a"), listed("c")), "mp-2", List.of()));
        assertThat(decide(Samples.in(PodPhase.SUCCEEDED, A)))
                .isEqualTo(steps(
                        new Step.RequestUnmount("mp-2"),
                        new Step.UpdateAttachment(seen, spec(Map.of("mp-1", List.of(listed("c")))))));
    }

    @Test
    void twoAttachmentsOfOneKeyBecomeOneWithoutLosingAWorkload() {
        there(pod("mp-1", "a"));
        there(pod("mp-2", "b"));
        KnownAttachment older = attachment(Map.of("mp-1", List.of(listed("a"))));
        KnownAttachment younger = attachment(Map.of("mp-2", List.of(listed("b"))));
        PodAttachmentSpec both = spec(Map.of("mp-1", List.of(listed("a")), "mp-2", List.of(listed("b"))));
        assertThat(decide(A))
                .isEqualTo(steps(new Step.UpdateAttachment(older, both), new Step.DeleteAttachment(younger)));
        assertThat(decide(workload("c")))
                .isEqualTo(steps(
                        new Step.UpdateAttachment(older, both.with("mp-1", joins("c"))),
                        new Step.DeleteAttachment(younger)));
    }

    @Test
    void aWorkloadThatTwoControllersAssignedIsKeptByTheOneThatMayHaveItMounted() {
        there(pod("mp-1", "a", PodPhase.PENDING, false, RELEASE, false, false));
        there(pod("mp-2", "b"));
        KnownAttachment both =
                attachment(Map.of("mp-1", List.of(listed("a")), "mp-2", List.of(listed("a"), listed("b"))));
        PodAttachmentSpec once = spec(Map.of("mp-2", List.of(listed("a"), listed("b"))));
        assertThat(decide(A)).isEqualTo(steps(new Step.RequestUnmount("mp-1"), new Step.UpdateAttachment(both, once)));
        there(pod("mp-1", "a"));
        assertThat(decide(A)).as("both may have it mounted").isEqualTo(NOTHING);
    }

    @Test
    void aRunningWorkloadWithoutAttachmentIsAttachedAgainOnlyIfAPodWasMadeForIt() {
        WorkloadPod running = Samples.in(PodPhase.RUNNING, A);
        assertThat(decide(running)).as("mounted by a release before 2.0").isEqualTo(NOTHING);
        there(pod("mp-2", "b"));
        attachment(Map.of("mp-2", List.of(listed("b"))));
        assertThat(decide(running)).isEqualTo(NOTHING);
        attachments.clear();
        pods.clear();
        there(pod("mp-1", "a", PodPhase.RUNNING, false, "2.1.1", false, false));
        assertThat(decide(running))
                .isEqualTo(steps(new Step.CreateAttachment(spec(Map.of("mp-1", List.of(joins("a")))))));
    }

    @Test
    void theAttachmentOfSharersThatWasLostIsMadeAgainForAllThatRun() {
        WorkloadPod a = Samples.in(PodPhase.RUNNING, A);
        WorkloadPod b = Samples.in(PodPhase.RUNNING, workload("b"));
        WorkloadPod waits = workload("c");
        there(pod("mp-1", "a"));
        List<Step> again = steps(new Step.CreateAttachment(spec(Map.of("mp-1", List.of(joins("b"), joins("a"))))));
        assertThat(decide(a, b, waits)).isEqualTo(again);
        assertThat(decide(b, waits))
                .as("the one it was made for is gone")
                .isEqualTo(steps(new Step.CreateAttachment(spec(Map.of("mp-1", List.of(joins("b")))))));
        there(pod("mp-2", "b"));
        assertThat(decide(a, b))
                .as("the other has its own")
                .isEqualTo(steps(new Step.CreateAttachment(spec(Map.of("mp-1", List.of(joins("a")))))));
    }

    @Test
    void aMountpointPodThatIsNamedOrEndsOrIsNotNamedYetIsNotTakenForLost() {
        WorkloadPod b = Samples.in(PodPhase.RUNNING, workload("b"));
        there(pod("mp-1", "a"));
        assertThat(decide(b, A)).as("it was made just now").isEqualTo(NOTHING);
        there(pod("mp-1", "a", PodPhase.RUNNING, false, RELEASE, true, false));
        assertThat(decide(b)).as("it is told to unmount").isEqualTo(NOTHING);
        there(pod("mp-1", "a", PodPhase.PENDING, false, RELEASE, false, false));
        assertThat(decide(b)).as("it has not mounted anything").isEqualTo(NOTHING);
        there(pod("mp-1", "a"));
        WorkloadPod group =
                new WorkloadPod("default", "app-a", "a", "node-1", PodPhase.RUNNING, false, Optional.of(2000L));
        assertThat(decide(b, group)).as("it has another group").isEqualTo(NOTHING);
        attachment(Map.of("mp-1", List.of(listed("a"))));
        assertThat(decide(b)).as("it is named").isEqualTo(NOTHING);
    }

    @Test
    void aWorkloadThatEndedWithoutAttachmentCostsNothing() {
        assertThat(decide(Samples.in(PodPhase.FAILED, A))).isEqualTo(NOTHING);
    }

    static Stream<Named<SharingKey>> editedByHand() {
        return Stream.of(
                Named.of("node", new SharingKey("elsewhere", "pv-1", KEY.volumeId(), KEY.mountOptions(), "")),
                Named.of("id", new SharingKey(KEY.node(), "pv-1", "another", KEY.mountOptions(), "")),
                Named.of("group", new SharingKey(KEY.node(), "pv-1", KEY.volumeId(), KEY.mountOptions(), "2000")));
    }

    @ParameterizedTest
    @MethodSource("editedByHand")
    void anAttachmentThatTheNodeWouldNotFindDoesNotCount(SharingKey edited) {
        String own = ownPod("a", 0);
        there(pod(own, "a"));
        attachment(new PodAttachmentSpec(edited, Map.of(own, List.of(listed("a")))));
        assertThat(decide(A)).isEqualTo(steps(new Step.CreateAttachment(spec(Map.of(own, List.of(joins("a")))))));
    }

    @Test
    void suchAnAttachmentIsReleasedWhenTheWorkloadIsServed() {
        String own = ownPod("a", 0);
        there(pod(own, "a"));
        KnownAttachment edited = attachment(new PodAttachmentSpec(
                new SharingKey(KEY.node(), "pv-1", "another", "", ""), Map.of(own, List.of(listed("a")))));
        attachment(Map.of(own, List.of(listed("a"))));
        assertThat(decide(A)).isEqualTo(steps(new Step.DeleteAttachment(edited)));
    }

    @Test
    void aWorkloadThatRunsKeepsTheAttachmentOfAVolumeThatWasMadeAnewMeanwhile() {
        String own = ownPod("a", 0);
        there(pod(own, "a"));
        attachment(new PodAttachmentSpec(
                new SharingKey(KEY.node(), "pv-1", "before", "", ""), Map.of(own, List.of(listed("a")))));
        assertThat(decide(Samples.in(PodPhase.RUNNING, A))).isEqualTo(NOTHING);
    }
}
