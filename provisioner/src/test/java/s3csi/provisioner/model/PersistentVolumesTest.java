package s3csi.provisioner.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PersistentVolumesTest {
    private static final MadeVolume MADE =
            new MadeVolume("bucket", 6L << 30, Map.of("bucketName", "bucket", "authenticationSource", "secret"));

    @Test
    void aVolumeIsAsCsiProvisionerWritesIt() {
        VolumePlan plan = VolumePlan.of(
                Claims.claim(),
                Claims.storageClass(Map.of(
                        "csi.storage.k8s.io/provisioner-secret-name", "admin-keys",
                        "csi.storage.k8s.io/provisioner-secret-namespace", "admin",
                        "csi.storage.k8s.io/node-publish-secret-name", "${pvc.annotations['tenant']}-keys",
                        "csi.storage.k8s.io/node-publish-secret-namespace", "${pvc.namespace}")));
        assertThat(Serialization.asYaml(PersistentVolumes.of(plan, MADE, "1-2-s3.csi.scality.com")))
                .isEqualTo("""
                        ---
                        apiVersion: "v1"
                        kind: "PersistentVolume"
                        metadata:
                          annotations:
                            pv.kubernetes.io/provisioned-by: "s3.csi.scality.com"
                            volume.kubernetes.io/provisioner-deletion-secret-name: "admin-keys"
                            volume.kubernetes.io/provisioner-deletion-secret-namespace: "admin"
                          finalizers:
                          - "external-provisioner.volume.kubernetes.io/finalizer"
                          name: "pvc-1-2-3"
                        spec:
                          accessModes:
                          - "ReadWriteMany"
                          capacity:
                            storage: "6Gi"
                          claimRef:
                            apiVersion: "v1"
                            kind: "PersistentVolumeClaim"
                            name: "data"
                            namespace: "team"
                            resourceVersion: "7"
                            uid: "1-2-3"
                          csi:
                            driver: "s3.csi.scality.com"
                            nodePublishSecretRef:
                              name: "blue-keys"
                              namespace: "team"
                            volumeAttributes:
                              authenticationSource: "secret"
                              bucketName: "bucket"
                              storage.kubernetes.io/csiProvisionerIdentity: "1-2-s3.csi.scality.com"
                            volumeHandle: "bucket"
                          mountOptions:
                          - "allow-delete"
                          - "uid=1000"
                          persistentVolumeReclaimPolicy: "Delete"
                          storageClassName: "s3"
                          volumeMode: "Filesystem"
                        """);
    }

    @Test
    void aVolumeWithoutSecretsSaysSo() {
        PersistentVolume volume =
                PersistentVolumes.of(VolumePlan.of(Claims.claim(), Claims.storageClass(Map.of())), MADE, "me");
        assertThat(volume.getMetadata().getAnnotations())
                .containsEntry(Marks.DELETION_SECRET_NAME, "")
                .containsEntry(Marks.DELETION_SECRET_NAMESPACE, "");
        assertThat(volume.getSpec().getCsi().getNodePublishSecretRef()).isNull();
    }

    @Test
    void aVolumeOfNoSizeHasThatOfItsClaim() {
        PersistentVolume volume = PersistentVolumes.of(
                VolumePlan.of(Claims.claim(), Claims.storageClass(Map.of())),
                new MadeVolume("bucket", 0, Map.of()),
                "me");
        assertThat(volume.getSpec().getCapacity().get("storage")).hasToString("5Gi");
    }

    @Test
    void theClassThatEarlyKubernetesNotedCounts() {
        PersistentVolume volume = PersistentVolumes.of(
                VolumePlan.of(
                        new PersistentVolumeClaimBuilder(Claims.claim())
                                .editMetadata()
                                .addToAnnotations(Marks.CLASS_OF_BETA, "noted")
                                .endMetadata()
                                .build(),
                        Claims.storageClass(Map.of("csi.storage.k8s.io/fstype", "s3"))),
                MADE,
                "me");
        assertThat(volume.getSpec().getStorageClassName()).isEqualTo("noted");
        assertThat(volume.getSpec().getCsi().getFsType()).isEqualTo("s3");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1024, 1Ki", "1073741824, 1Gi", "1073741825, 1073741825", "5368709120, 5Gi", "1536, 1536"})
    void sizesAreWrittenAsKubernetesDoes(long bytes, String written) {
        assertThat(PersistentVolumes.quantity(bytes)).hasToString(written);
    }
}
