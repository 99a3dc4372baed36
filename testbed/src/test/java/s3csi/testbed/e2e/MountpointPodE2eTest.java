package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.Labels;
import s3csi.testbed.cluster.ControlPlane;

/** Mountpoint Pods as the API server and kubelet have them: what they may do, and whom they serve. */
class MountpointPodE2eTest extends ClusterStage {
    @Test
    void itMayDoNothingButServe() {
        String bucket = bucket("served");
        staticVolume(bucket);
        Pod workload = runningWorkload("app", bucket);
        Pod serving = mountpointPod(bucket);
        PodSpec spec = serving.getSpec();
        SecurityContext container = spec.getContainers().getFirst().getSecurityContext();
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(spec.getSecurityContext().getFsGroup())
                    .as("fsGroup")
                    .isEqualTo(1000);
            softly.assertThat(container.getRunAsUser()).as("runAsUser").isEqualTo(1000);
            softly.assertThat(container.getRunAsNonRoot()).as("runAsNonRoot").isTrue();
            softly.assertThat(container.getAllowPrivilegeEscalation())
                    .as("escalation")
                    .isFalse();
            softly.assertThat(container.getPrivileged()).as("privileged").isNotEqualTo(true);
            softly.assertThat(container.getCapabilities().getDrop())
                    .as("capabilities")
                    .containsExactly("ALL");
            softly.assertThat(container.getCapabilities().getAdd())
                    .as("capabilities")
                    .isEmpty();
            softly.assertThat(container.getSeccompProfile().getType())
                    .as("seccomp")
                    .isEqualTo("RuntimeDefault");
            softly.assertThat(spec.getAutomountServiceAccountToken())
                    .as("token")
                    .isFalse();
            softly.assertThat(spec.getVolumes())
                    .as("no volume with a token, and none of the node")
                    .allMatch(volume -> volume.getEmptyDir() != null || volume.getConfigMap() != null);
            softly.assertThat(spec.getHostNetwork()).as("network of the node").isNotEqualTo(true);
            softly.assertThat(spec.getHostPID()).as("processes of the node").isNotEqualTo(true);
            softly.assertThat(spec.getContainers().getFirst().getEnv())
                    .as("variables")
                    .isEmpty();
            softly.assertThat(spec.getContainers()).as("containers").hasSize(1);
            softly.assertThat(spec.getInitContainers()).as("init containers").isEmpty();
            softly.assertThat(spec.getPriorityClassName()).isEqualTo("mount-s3-critical");
            softly.assertThat(spec.getNodeName()).isEqualTo(nodeOf(workload));
            softly.assertThat(serving.getMetadata().getName()).startsWith("mp-").hasSize(59);
            softly.assertThat(serving.getMetadata().getLabels())
                    .containsEntry(Labels.VOLUME_NAME, bucket)
                    .containsEntry(Labels.POD_UID, workload.getMetadata().getUid())
                    .containsKeys(Labels.MOUNTPOINT_VERSION, Labels.DRIVER_VERSION);
            softly.assertThat(serving.getMetadata().getAnnotations())
                    .containsEntry(Annotations.VOLUME_NAME, bucket)
                    .containsEntry(Annotations.VOLUME_ID, bucket)
                    .doesNotContainKey(Annotations.NEEDS_UNMOUNT);
            softly.assertThat(client.namespaces()
                            .withName(ControlPlane.MOUNTPOINT_NAMESPACE)
                            .require()
                            .getMetadata()
                            .getLabels())
                    .as("what the API server demands of pods there")
                    .containsEntry("pod-security.kubernetes.io/enforce", "restricted");
        });
    }

    private String nodeOf(Pod pod) {
        return client.resource(pod).require().getSpec().getNodeName();
    }

    /** Static, made at once, and made when the pod has a node: each with the group of the workload, and the engine with its own. */
    @Test
    void aWorkloadWithAGroupReadsAndWritesVolumesOfEveryKind() {
        String bucket = bucket("static");
        staticVolume(bucket);
        PersistentVolumeClaim immediate = claim("immediate", storageClass());
        PersistentVolumeClaim late = claim(
                "late",
                storageClass(
                        namespace + "-late",
                        storageClass -> storageClass.withVolumeBindingMode("WaitForFirstConsumer")));
        Pod pod = runningWorkload(
                "app",
                List.of(bucket, "immediate", "late"),
                spec -> spec.withNewSecurityContext()
                        .withRunAsNonRoot(true)
                        .withRunAsUser(1234L)
                        .withRunAsGroup(1234L)
                        .withFsGroup(2000L)
                        .endSecurityContext());
        List<String> volumes = List.of(
                bucket,
                boundVolume(immediate).getMetadata().getName(),
                boundVolume(late).getMetadata().getName());
        SoftAssertions.assertSoftly(softly -> {
            for (String directory : List.of("/data", "/data2", "/data3")) {
                softly.assertThat(shell(pod, """
                                cd %s && mkdir sub && echo written >sub/note && cat sub/note &&
                                stat -c '%%a %%g' . sub sub/note && rm -r sub""".formatted(directory)))
                        .as(directory)
                        .isEqualTo("written\n770 2000\n770 2000\n660 2000");
            }
            for (String volume : volumes) {
                softly.assertThat(mountpointPod(volume)
                                .getSpec()
                                .getSecurityContext()
                                .getFsGroup())
                        .as("fsGroup of the Mountpoint Pod of %s", volume)
                        .isEqualTo(1000);
            }
        });
        assertThat(cluster.attachments(bucket).getFirst().getSpec().workloadFSGroup())
                .isEqualTo("2000");
    }
}
