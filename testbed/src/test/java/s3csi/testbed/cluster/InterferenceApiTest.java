package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.SharingKey;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.testbed.cluster.FaultyWrites.Fate;

/** Hands that edit and delete what is the controller's, at any moment, and clocks that jump. */
@Tag("api")
class InterferenceApiTest {
    private static final AtomicInteger SCENARIOS = new AtomicInteger();

    private static ControlPlane plane;

    private Scenario scenario;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @BeforeEach
    void makeNamespace() {
        scenario = new Scenario(plane.client(), "i" + SCENARIOS.incrementAndGet());
        scenario.boundVolume("pv");
    }

    /** What somebody changes in an attachment. */
    enum Edit {
        NOBODY,
        NO_WORKLOADS,
        ANOTHER_POD,
        ANOTHER_NODE,
        ANOTHER_ID,
        ANOTHER_GROUP,
        ANOTHER_VOLUME
    }

    private static PodAttachmentSpec edited(PodAttachmentSpec spec, Edit edit) {
        SharingKey key = spec.key();
        SortedMap<String, List<WorkloadAttachment>> served = spec.mountpointS3PodAttachments();
        return switch (edit) {
            case NOBODY -> new PodAttachmentSpec(key, Map.of());
            case NO_WORKLOADS -> new PodAttachmentSpec(key, Map.of(served.firstKey(), List.of()));
            case ANOTHER_POD ->
                new PodAttachmentSpec(
                        key, Map.of("mp-none-such", served.values().iterator().next()));
            case ANOTHER_NODE -> with(key.node() + "-other", key.persistentVolume(), key.volumeId(), "", spec);
            case ANOTHER_ID -> with(key.node(), key.persistentVolume(), "another", "", spec);
            case ANOTHER_GROUP -> with(key.node(), key.persistentVolume(), key.volumeId(), "7", spec);
            case ANOTHER_VOLUME -> with(key.node(), "none-such", key.volumeId(), "", spec);
        };
    }

    private static PodAttachmentSpec with(String node, String volume, String id, String group, PodAttachmentSpec spec) {
        return new PodAttachmentSpec(
                new SharingKey(node, volume, id, spec.mountOptions(), group), spec.mountpointS3PodAttachments());
    }

    private boolean isFoundByTheNode(Pod... workloads) {
        return scenario.isServed(workloads)
                && scenario.attachments().stream()
                        .map(PodAttachment::getSpec)
                        .allMatch(spec -> spec.key()
                                .equals(new SharingKey(
                                        scenario.node("n"),
                                        scenario.volumeName("pv"),
                                        "handle-of-" + scenario.volumeName("pv"),
                                        "allow-delete",
                                        "")));
    }

    /** A workload that waits for its volume is found by the node again, and leaves nothing behind. */
    @ParameterizedTest
    @EnumSource
    void whateverIsEditedInAnAttachmentIsPutRight(Edit edit) {
        try (RunningController _ = RunningController.start(plane)) {
            Pod first = scenario.workload("first", "n", "pv");
            Pod second = scenario.workload("second", "n", "pv");
            scenario.soon("served", () -> isFoundByTheNode(first, second));
            plane.client().resource(scenario.attachments().getFirst()).edit(attachment -> {
                attachment.setSpec(edited(attachment.getSpec(), edit));
                return attachment;
            });
            scenario.soon("put right", () -> isFoundByTheNode(first, second));
            scenario.becomes(first, "Succeeded");
            scenario.becomes(second, "Failed");
            scenario.soon("released", () -> scenario.attachments().isEmpty());
        }
    }

    @Test
    void whatAMountpointPodSaysAboutTheSecretOfItsVolumeIsKeptTrue() {
        try (RunningController _ = RunningController.start(plane)) {
            Pod workload = scenario.workload("app", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(workload));
            for (String wrong : new String[] {"true", "perhaps", null}) {
                plane.client()
                        .resource(scenario.onlyMountpointPod())
                        .edit(pod -> wrong == null
                                ? new PodBuilder(pod)
                                        .editMetadata()
                                        .removeFromAnnotations(Annotations.NAMES_PUBLISH_SECRET)
                                        .endMetadata()
                                        .build()
                                : new PodBuilder(pod)
                                        .editMetadata()
                                        .addToAnnotations(Annotations.NAMES_PUBLISH_SECRET, wrong)
                                        .endMetadata()
                                        .build());
                scenario.soon(
                        "true again",
                        () -> "false"
                                .equals(scenario.onlyMountpointPod()
                                        .getMetadata()
                                        .getAnnotations()
                                        .get(Annotations.NAMES_PUBLISH_SECRET)));
            }
        }
    }

    /** Before the given write, somebody removes all Mountpoint Pods. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void mountpointPodsThatAreDeletedAtAnyStepAreReplaced(int step) {
        AtomicInteger writes = new AtomicInteger();
        try (RunningController _ = RunningController.start(
                plane,
                Clock.systemUTC(),
                real -> new FaultyWrites(real, () -> {
                    if (writes.incrementAndGet() == step) {
                        scenario.mountpointPods().forEach(scenario::remove);
                    }
                    return Fate.DONE;
                }))) {
            Pod first = scenario.workload("first", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(first));
            Pod second = scenario.workload("second", "n", "pv");
            scenario.soon("both are served", () -> scenario.isServed(first, second));
        }
    }

    /** Before the given write, somebody removes all workloads, without waiting for kubelet. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void workloadsThatAreDeletedAtAnyStepLeaveNothing(int step) {
        AtomicInteger writes = new AtomicInteger();
        Jumping clock = new Jumping();
        try (RunningController _ = RunningController.start(
                plane,
                clock,
                real -> new FaultyWrites(real, () -> {
                    if (writes.incrementAndGet() == step) {
                        scenario.workloads().forEach(scenario::remove);
                    }
                    return Fate.DONE;
                }))) {
            scenario.workload("first", "n", "pv");
            scenario.workload("second", "n", "pv");
            scenario.workload("third", "n", "pv");
            scenario.soon("somebody removed some", () -> writes.get() >= step);
            scenario.workloads().forEach(scenario::remove);
            clock.offset = Duration.ofMinutes(10);
            Pod next = scenario.workload("next", "n", "pv");
            scenario.soon("only the next one is served", () -> scenario.isServed(next));
        }
    }

    /** A clock that is whatever somebody sets it to. */
    private static final class Jumping extends Clock {
        private volatile Duration offset = Duration.ZERO;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(offset);
        }
    }

    @Test
    void aClockThatJumpsCostsNoWorkloadItsMount() {
        Jumping clock = new Jumping();
        try (RunningController _ = RunningController.start(plane, clock, writes -> writes)) {
            Pod first = scenario.workload("first", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(first));
            clock.offset = Duration.ofDays(1);
            Pod second = scenario.workload("second", "n", "pv");
            scenario.soon("both are served", () -> scenario.isServed(first, second));
            clock.offset = Duration.ofDays(-1);
            Pod third = scenario.workload("third", "n", "pv");
            scenario.soon("all are served", () -> scenario.isServed(first, second, third));
            assertThat(scenario.mountpointPods()).hasSize(1);
            scenario.becomes(first, "Succeeded");
            scenario.becomes(second, "Succeeded");
            scenario.becomes(third, "Succeeded");
            scenario.soon("released", () -> scenario.attachments().isEmpty());
        }
    }
}
