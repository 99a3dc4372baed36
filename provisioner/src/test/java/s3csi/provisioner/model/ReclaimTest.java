package s3csi.provisioner.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.volume.Driver;

class ReclaimTest {
    private static PersistentVolume volume(String policy, String phase, boolean isHeld, boolean isGoing) {
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("pvc-1")
                .addToAnnotations(Marks.PROVISIONED_BY, Driver.NAME)
                .withFinalizers(isHeld ? new String[] {"other", Marks.FINALIZER} : new String[] {"other"})
                .withDeletionTimestamp(isGoing ? "2026-01-01T00:00:00Z" : null)
                .endMetadata()
                .withNewSpec()
                .withPersistentVolumeReclaimPolicy(policy)
                .withNewClaimRef()
                .withNamespace("team")
                .withName("data")
                .endClaimRef()
                .withNewCsi()
                .withDriver(Driver.NAME)
                .withVolumeHandle("bucket")
                .endCsi()
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "Delete, Bound,     true,  false, NOTHING",
        "Delete, Bound,     true,  true,  NOTHING",
        "Delete, Bound,     false, false, HOLD",
        "Delete, Bound,     false, true,  NOTHING",
        "Delete, Pending,   false, false, NOTHING",
        "Delete, Available, true,  false, NOTHING",
        "Delete, Failed,    true,  false, NOTHING",
        "Delete, Released,  true,  false, DELETE",
        "Delete, Released,  false, false, DELETE",
        "Delete, Released,  true,  true,  DELETE",
        "Delete, Released,  false, true,  NOTHING",
        "Retain, Bound,     true,  false, LET_GO",
        "Retain, Released,  true,  false, LET_GO",
        "Retain, Released,  true,  true,  LET_GO",
        "Retain, Released,  false, false, NOTHING",
    })
    void aVolumeIsDeletedOnlyWhenItWasReleasedAndShallBe(
            String policy, String phase, boolean isHeld, boolean isGoing, Reclaim expected) {
        assertThat(Reclaim.of(volume(policy, phase, isHeld, isGoing))).isEqualTo(expected);
    }

    @Test
    void whatAnotherMadeIsLeftAlone() {
        PersistentVolume released = volume("Delete", "Released", true, false);
        assertThat(Reclaim.of(new PersistentVolumeBuilder(released)
                        .editMetadata()
                        .addToAnnotations(Marks.PROVISIONED_BY, "another")
                        .endMetadata()
                        .build()))
                .isEqualTo(Reclaim.NOTHING);
        assertThat(Reclaim.of(new PersistentVolumeBuilder(released)
                        .editMetadata()
                        .removeFromAnnotations(Marks.PROVISIONED_BY)
                        .endMetadata()
                        .build()))
                .as("made by hand")
                .isEqualTo(Reclaim.NOTHING);
        assertThat(Reclaim.of(new PersistentVolumeBuilder(released)
                        .editSpec()
                        .editCsi()
                        .withDriver("another")
                        .endCsi()
                        .endSpec()
                        .build()))
                .isEqualTo(Reclaim.NOTHING);
        assertThat(Reclaim.of(new PersistentVolumeBuilder(released)
                        .editSpec()
                        .withCsi(null)
                        .endSpec()
                        .build()))
                .isEqualTo(Reclaim.NOTHING);
    }

    @Test
    void aVolumeIsDeletedWithTheSecretThatItNames() {
        Map<String, String> ofClass = Map.of(
                "csi.storage.k8s.io/provisioner-secret-name", "${pvc.name}",
                "csi.storage.k8s.io/provisioner-secret-namespace", "${pvc.namespace}");
        PersistentVolume unmarked = volume("Delete", "Released", true, false);
        assertThat(Reclaim.deletionSecret(marked(unmarked, "keys", "admin"), Optional.of(ofClass)))
                .hasValue(new SecretName("admin", "keys"));
        assertThat(Reclaim.deletionSecret(marked(unmarked, "", ""), Optional.of(ofClass)))
                .as("there was none")
                .isEmpty();
        assertThat(Reclaim.deletionSecret(unmarked, Optional.of(ofClass)))
                .as("of a provisioner that did not note it")
                .hasValue(new SecretName("team", "data"));
        assertThat(Reclaim.deletionSecret(unmarked, Optional.empty())).isEmpty();
    }

    private static PersistentVolume marked(PersistentVolume volume, String name, String namespace) {
        return new PersistentVolumeBuilder(volume)
                .editMetadata()
                .addToAnnotations(Marks.DELETION_SECRET_NAME, name)
                .addToAnnotations(Marks.DELETION_SECRET_NAMESPACE, namespace)
                .endMetadata()
                .build();
    }
}
