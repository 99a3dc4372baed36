package s3csi.reconciler.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodPhase;
import s3csi.kubernetes.SharingKey;

/**
 * Random lives of workloads and Mountpoint Pods, under two controllers at once that are killed anywhere. The seed is the argument of the
 * test.
 */
class AssignmentModelTest {
    private static final int EVENTS = 200;

    /** A decision that leads nowhere would be made for ever. */
    private static final int MOST_ROUNDS = 20;

    private final FakeCluster cluster = new FakeCluster();
    private final Map<String, WorkloadPod> workloads = new TreeMap<>();
    private int created;

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyWorkloadIsServedAndNothingIsLeft(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < EVENTS; i++) {
            happen(random);
            if (random.nextBoolean()) {
                reconcileAtOnce(random);
            }
        }
        settle();
        assertAllAreServedByOneAttachment();
        workloads.replaceAll((_, workload) -> Samples.in(PodPhase.SUCCEEDED, workload));
        settle();
        assertThat(cluster.attachments).isEmpty();
    }

    private void happen(Random random) {
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                WorkloadPod workload = Samples.workload("w" + created++);
                workloads.put(workload.uid(), workload);
            }
            case 2, 3 ->
                any(random, workloads)
                        .filter(this::isMounted)
                        .ifPresent(workload -> become(workload, PodPhase.RUNNING));
            case 4 -> any(random, workloads).ifPresent(workload -> become(workload, PodPhase.SUCCEEDED));
            case 5 ->
                any(random, cluster.pods)
                        .ifPresent(pod -> cluster.pods.put(
                                pod.name(),
                                FakeCluster.changed(
                                        pod,
                                        pod.needsUnmount() ? PodPhase.SUCCEEDED : PodPhase.RUNNING,
                                        pod.isTerminating(),
                                        pod.needsUnmount())));
            case 6 ->
                any(random, cluster.pods)
                        .ifPresent(pod -> cluster.pods.put(
                                pod.name(),
                                FakeCluster.changed(
                                        pod,
                                        random.nextBoolean() ? PodPhase.FAILED : pod.phase(),
                                        true,
                                        pod.needsUnmount())));
            default ->
                any(random, cluster.pods)
                        .filter(MountpointPod::isTerminating)
                        .ifPresent(pod -> cluster.pods.remove(pod.name()));
        }
    }

    private static <T> Optional<T> any(Random random, Map<String, T> map) {
        return map.isEmpty()
                ? Optional.empty()
                : map.values().stream().skip(random.nextInt(map.size())).findFirst();
    }

    /** Kubelet starts a workload only when its volume is mounted. */
    private boolean isMounted(WorkloadPod workload) {
        return workload.phase() == PodPhase.PENDING
                && cluster.serving(workload).stream().anyMatch(pod -> pod.phase() == PodPhase.RUNNING);
    }

    private void become(WorkloadPod workload, PodPhase phase) {
        workloads.put(workload.uid(), Samples.in(phase, workload));
    }

    /** Two controllers look before either acts, and act in turns; either may be killed between two steps. */
    private void reconcileAtOnce(Random random) {
        List<WorkloadPod> chosen = new ArrayList<>();
        any(random, workloads).ifPresent(chosen::add);
        any(random, workloads).ifPresent(chosen::add);
        ClusterView view = cluster.view();
        for (WorkloadPod workload : chosen) {
            List<Step> steps = steps(workload, view);
            take(workload, steps.subList(0, random.nextInt(steps.size() + 1)));
        }
    }

    private List<Step> steps(WorkloadPod workload, ClusterView view) {
        return Assignment.decide(
                Samples.RELEASE, workload, List.copyOf(workloads.values()), Samples.VOLUME, view, cluster.now());
    }

    private void take(WorkloadPod workload, List<Step> steps) {
        for (Step step : steps) {
            List<WorkloadPod> served = workloads.values().stream()
                    .filter(other -> other.isActive() && !cluster.serving(other).isEmpty())
                    .toList();
            if (step instanceof Step.RequestUnmount(String pod)) {
                assertIsNotNeeded(pod);
            }
            if (!cluster.take(step, workload)) {
                return;
            }
            assertThat(served)
                    .as("workloads that were served are still, after %s", step)
                    .allSatisfy(other -> assertThat(cluster.serving(other)).isNotEmpty());
        }
    }

    /** A workload that is still to be mounted may be moved; one that runs may not. */
    private void assertIsNotNeeded(String pod) {
        assertThat(workloads.values())
                .filteredOn(workload -> workload.phase() == PodPhase.RUNNING)
                .as("workloads that have %s mounted", pod)
                .noneSatisfy(workload -> assertThat(cluster.serving(workload))
                        .extracting(MountpointPod::name)
                        .containsExactly(pod));
    }

    private void settle() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            boolean isSettled = true;
            for (WorkloadPod workload : workloads.values()) {
                List<Step> steps = steps(workload, cluster.view());
                isSettled &= steps.isEmpty();
                take(workload, steps);
            }
            if (isSettled) {
                return;
            }
        }
        throw new AssertionError("still not settled: " + cluster.attachments);
    }

    private void assertAllAreServedByOneAttachment() {
        for (WorkloadPod workload : workloads.values()) {
            assertThat(cluster.serving(workload))
                    .as("Mountpoint Pods of %s", workload)
                    .hasSize(workload.isActive() ? 1 : 0);
        }
        List<SharingKey> keys = cluster.attachments.values().stream()
                .map(attachment -> attachment.spec().key())
                .toList();
        assertThat(keys).doesNotHaveDuplicates();
    }
}
