package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.control.Announcements;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.PodPhase;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.reconciler.model.MountpointPodSettings;
import s3csi.reconciler.model.MountpointPodTemplate;
import s3csi.reconciler.model.PodResources;
import s3csi.reconciler.model.S3Volume;
import s3csi.reconciler.model.Step;
import s3csi.reconciler.model.WorkloadPod;

/** Which answers of an API server mean that nothing was written, so that a Mountpoint Pod is taken back. */
class StepsTest {
    private static final WorkloadPod WORKLOAD =
            new WorkloadPod("default", "app", "uid-1", "node-1", PodPhase.PENDING, false, Optional.empty());
    private static final S3Volume VOLUME =
            new S3Volume("pv-1", "uid of pv-1", "handle-1", List.of(), Map.of("bucketName", "b"), false);

    private static KubernetesClientException answer(int code) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage("made to fail").build());
    }

    /** Takes a pod, answers an attachment as it is told, and notes what is deleted. */
    private static final class RefusedAttachments implements ClusterWrites {
        private final KubernetesClientException answer;
        private final List<String> deleted = new ArrayList<>();

        RefusedAttachments(KubernetesClientException answer) {
            this.answer = answer;
        }

        @Override
        public Pod create(Pod mountpointPod) {
            mountpointPod.getMetadata().setUid("uid of the pod");
            mountpointPod.getMetadata().setResourceVersion("1");
            return mountpointPod;
        }

        @Override
        public PodAttachment create(PodAttachment attachment) {
            throw answer;
        }

        @Override
        public PodAttachment update(PodAttachment changed) {
            throw new AssertionError("nothing was there to be changed");
        }

        @Override
        public void delete(PodAttachment seen) {
            throw new AssertionError("no attachment was there");
        }

        @Override
        public Optional<Pod> annotate(Pod seen, String key, String value) {
            throw new AssertionError("no pod was to be annotated");
        }

        @Override
        public void delete(Pod seen) {
            deleted.add(seen.getMetadata().getName());
        }

        @Override
        public void announce(Event event) {
            // Nobody reads it.
        }
    }

    /** What is deleted when a pod and its attachment are made, and the attachment is answered like this. */
    private static List<String> deletedAfter(KubernetesClientException answer) {
        RefusedAttachments writes = new RefusedAttachments(answer);
        MountpointPodSettings settings = new MountpointPodSettings(
                "mount-s3",
                "3.0.0",
                "1.0",
                "driver:test",
                "IfNotPresent",
                List.of(),
                "/bin/scality-s3-csi-mounter",
                "",
                Map.of(),
                Optional.empty(),
                PodResources.NONE,
                false);
        PodAttachmentSpec attachment = new PodAttachmentSpec(
                VOLUME.keyFor(WORKLOAD), Map.of("mp-1", List.of(new WorkloadAttachment("uid-1", Instant.EPOCH))));
        List<Step> decided = List.of(new Step.CreatePod("mp-1"), new Step.CreateAttachment(attachment));
        try (KubernetesClient client =
                        new KubernetesClientBuilder().withConfig(Config.empty()).build();
                ClusterCache cache = new ClusterCache(client, "mount-s3")) {
            Steps steps = new Steps(
                    cache,
                    new SeenWrites(System::nanoTime),
                    writes,
                    new MountpointPodTemplate(settings),
                    new Announcements(writes::announce, Clock.systemUTC()));
            assertThatThrownBy(() -> steps.take(new Subject.VolumeOnNode("node-1", "pv-1"), decided, WORKLOAD, VOLUME))
                    .isSameAs(answer);
        }
        return writes.deleted;
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 422})
    void aDecisionAgainstTheAttachmentTakesThePodBack(int code) {
        assertThat(Steps.isRefusal(answer(code))).isTrue();
        assertThat(deletedAfter(answer(code))).containsExactly("mp-1");
    }

    /** The pod of an attachment that was written after all must stay. */
    @ParameterizedTest
    @ValueSource(ints = {409, 429, 500, 502, 503, 504})
    void whatMayHaveBeenDoneOrMayBeDoneLaterIsNoReason(int code) {
        assertThat(Steps.isRefusal(answer(code))).isFalse();
        assertThat(deletedAfter(answer(code))).isEmpty();
    }

    @Test
    void noAnswerIsNone() {
        KubernetesClientException lost = new KubernetesClientException("the answer was lost");
        assertThat(Steps.isRefusal(lost)).isFalse();
        assertThat(deletedAfter(lost)).isEmpty();
    }
}
