package s3csi.reconciler.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.Labels;
import s3csi.kubernetes.MountpointPod;
import s3csi.volume.VolumeFailure;

/** Whole pods are compared with files; what a pod is now can be found in {@code target/pods}, to be read before it becomes such a file. */
class MountpointPodTemplateTest {
    private static final MountpointPodSettings PLAIN = new MountpointPodSettings(
            "mount-s3",
            Samples.RELEASE,
            "3.0.0",
            "scality/s3-csi-driver:3.0.0",
            "IfNotPresent",
            List.of(),
            "/bin/scality-s3-csi-mounter",
            "mount-s3-critical",
            Map.of(),
            Optional.empty(),
            PodResources.NONE,
            false);

    private static final PodResources USUAL = new PodResources(
            Map.of("cpu", new Quantity("10m"), "memory", new Quantity("128Mi")),
            Map.of("memory", new Quantity("512Mi")));

    private static Pod pod(MountpointPodSettings settings, S3Volume volume) {
        return new MountpointPodTemplate(settings).of("mp-1", Samples.workload("u1"), volume);
    }

    private static MountpointPodSettings with(
            PodResources resources, Optional<String> authorities, boolean isOpenShift, Map<String, String> labels) {
        return new MountpointPodSettings(
                PLAIN.namespace(),
                PLAIN.driverVersion(),
                PLAIN.engineVersion(),
                PLAIN.image(),
                PLAIN.imagePullPolicy(),
                List.of("registry-key"),
                PLAIN.command(),
                PLAIN.priorityClass(),
                labels,
                authorities,
                resources,
                isOpenShift);
    }

    private static void assertIsAsIn(String file, Pod pod) throws Exception {
        String yaml = new KubernetesSerialization().asYaml(pod);
        Path now = Files.createDirectories(Path.of("target", "pods")).resolve(file);
        Files.writeString(now, yaml);
        try (InputStream in = MountpointPodTemplateTest.class.getResourceAsStream(file)) {
            assertThat(yaml)
                    .as("%s against %s", now, file)
                    .isEqualTo(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void aPlainVolumeHasAPodThatMayDoNothing() throws Exception {
        assertIsAsIn("plain.yaml", pod(PLAIN, Samples.VOLUME));
    }

    @Test
    void aClusterAndAVolumeMayWantMore() throws Exception {
        S3Volume volume = new S3Volume(
                "pv-1",
                "uid-of-volume",
                "bucket/with/a/path",
                List.of("allow-delete"),
                Map.of(
                        "bucketName", "b",
                        "mountpointPodServiceAccountName", "mounter",
                        "mountpointContainerResourcesRequestsCpu", "250m",
                        "mountpointContainerResourcesLimitsMemory", "2Gi",
                        "cache", "emptyDir",
                        "cacheEmptyDirSizeLimit", "20Gi"),
                true);
        assertIsAsIn(
                "everything.yaml",
                pod(with(USUAL, Optional.of("company-ca"), false, Map.of("team", "storage")), volume));
    }

    @Test
    void openShiftChoosesUsersItself() throws Exception {
        S3Volume volume = Samples.volume(Map.of(
                "cache", "ephemeral",
                "cacheEphemeralStorageClassName", "fast",
                "cacheEphemeralStorageResourceRequest", "100Gi"));
        assertIsAsIn("openshift.yaml", pod(with(PodResources.NONE, Optional.empty(), true, Map.of()), volume));
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        MountpointPod read = MountpointPod.of(pod(PLAIN, Samples.VOLUME));
        assertThat(read.driverVersion()).isEqualTo(Samples.RELEASE);
        assertThat(read.workloadUid()).isEqualTo("u1");
        assertThat(read.persistentVolume()).isEqualTo("pv-1");
        assertThat(read.publishSecret()).isEqualTo(MountpointPod.PublishSecret.NOT_NAMED);
    }

    @Test
    void aLongNameIsOnlyInAnAnnotation() {
        String name = "pv-" + "x".repeat(250);
        Pod pod = pod(PLAIN, new S3Volume(name, "uid", "id", List.of(), Map.of(), false));
        assertThat(pod.getMetadata().getLabels()).doesNotContainKey(Labels.VOLUME_NAME);
        assertThat(pod.getMetadata().getAnnotations()).containsEntry(Annotations.VOLUME_NAME, name);
    }

    @Test
    void labelsOfAnAdministratorDoNotReplaceOurs() {
        Pod pod = pod(
                with(PodResources.NONE, Optional.empty(), false, Map.of(Labels.DRIVER_VERSION, "0")), Samples.VOLUME);
        assertThat(pod.getMetadata().getLabels()).containsEntry(Labels.DRIVER_VERSION, Samples.RELEASE);
    }

    private static PodResources resources(Map<String, String> attributes) {
        return USUAL.under(attributes);
    }

    @Test
    void aDefaultGivesWayToWhatTheVolumeSays() {
        PodResources lowered = resources(Map.of("mountpointContainerResourcesLimitsMemory", "64Mi"));
        assertThat(lowered.limits()).containsEntry("memory", new Quantity("64Mi"));
        assertThat(lowered.requests()).containsEntry("memory", new Quantity("64Mi"));
        PodResources raised = resources(Map.of("mountpointContainerResourcesRequestsMemory", "1Gi"));
        assertThat(raised.requests()).containsEntry("memory", new Quantity("1Gi"));
        assertThat(raised.limits()).containsEntry("memory", new Quantity("1Gi"));
        assertThat(resources(Map.of())).isEqualTo(USUAL);
    }

    @Test
    void aRequestAboveTheLimitIsRefused() {
        assertThatThrownBy(() -> resources(Map.of(
                        "mountpointContainerResourcesRequestsCpu", "2",
                        "mountpointContainerResourcesLimitsCpu", "1500m")))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("mountpointContainerResourcesRequestsCpu");
    }

    @ParameterizedTest
    @CsvSource({"lots", "''", "-1", "0", "1 Gi", "1GiB", "0x10", "1e99999", "64mib", "NaN"})
    void anAmountThatIsNoneIsNamed(String text) {
        assertThatThrownBy(() -> resources(Map.of("mountpointContainerResourcesLimitsMemory", text)))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("mountpointContainerResourcesLimitsMemory")
                .hasMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({"1", "250m", "0.5", ".5", "64Mi", "1.5Gi", "1e9", "128M", "1Ti"})
    void amountsAreInTheWordsOfKubernetes(String text) {
        assertThat(resources(Map.of("mountpointContainerResourcesLimitsCpu", text))
                        .limits())
                .containsEntry("cpu", new Quantity(text));
    }

    @ParameterizedTest
    @CsvSource({
        "cache, disk, , , cache",
        "cache, emptyDir, cacheEmptyDirMedium, Disk, cacheEmptyDirMedium",
        "cache, emptyDir, cacheEmptyDirSizeLimit, much, cacheEmptyDirSizeLimit",
        "cache, ephemeral, cacheEphemeralStorageClassName, fast, cacheEphemeralStorageResourceRequest",
        "cache, ephemeral, cacheEphemeralStorageResourceRequest, 1Gi, cacheEphemeralStorageClassName"
    })
    void aCacheThatMakesNoSenseIsRefused(String key, String value, String key2, String value2, String named) {
        S3Volume volume = Samples.volume(key2 == null ? Map.of(key, value) : Map.of(key, value, key2, value2));
        assertThatThrownBy(() -> CacheVolume.of(volume))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining(named);
    }

    @Test
    void theOptionOfEarlierReleasesMakesAnEmptyDirectory() {
        assertThat(CacheVolume.of(Samples.volume(Map.of(), "cache /mnt/on-the-node")))
                .contains(new CacheVolume.EmptyDirectory(Optional.empty(), false));
        assertThat(CacheVolume.of(Samples.volume(Map.of(), "allow-delete"))).isEmpty();
        assertThatThrownBy(() -> CacheVolume.of(Samples.volume(Map.of("cache", "emptyDir"), "cache=/tmp")))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("spec.mountOptions");
    }

    @Test
    void aCacheMayBeInMemory() {
        assertThat(CacheVolume.of(Samples.volume(Map.of("cache", "emptyDir", "cacheEmptyDirMedium", "Memory"))))
                .contains(new CacheVolume.EmptyDirectory(Optional.empty(), true));
    }
}
