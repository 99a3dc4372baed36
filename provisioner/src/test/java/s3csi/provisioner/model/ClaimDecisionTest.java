package s3csi.provisioner.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimDecisionTest {
    private static final StorageClass CLASS = Claims.storageClass(Map.of());

    private static ClaimDecision about(UnaryOperator<PersistentVolumeClaimBuilder> change) {
        return ClaimDecision.about(
                change.apply(new PersistentVolumeClaimBuilder(Claims.claim())).build(), Optional.of(CLASS));
    }

    private static ClaimDecision with(StorageClass storageClass) {
        return ClaimDecision.about(Claims.claim(), Optional.of(storageClass));
    }

    private static VolumePlan planOf(ClaimDecision decision) {
        assertThat(decision).isInstanceOf(ClaimDecision.Provisioned.class);
        return ((ClaimDecision.Provisioned) decision).plan();
    }

    private static String refusalOf(ClaimDecision decision) {
        assertThat(decision).isInstanceOf(ClaimDecision.Refused.class);
        return ((ClaimDecision.Refused) decision).message();
    }

    private static void assertNothing(ClaimDecision decision) {
        assertThat(decision).isEqualTo(new ClaimDecision.Nothing());
    }

    @Test
    void aClaimOfThisDriverGetsAVolume() {
        VolumePlan plan = planOf(with(Claims.storageClass(Map.of(
                "bucketNamePrefix",
                "team-",
                "csi.storage.k8s.io/provisioner-secret-name",
                "${pvc.name}",
                "csi.storage.k8s.io/provisioner-secret-namespace",
                "admin"))));
        assertThat(plan.name()).isEqualTo("pvc-1-2-3");
        assertThat(plan.requiredBytes()).isEqualTo(5L << 30);
        assertThat(plan.modes()).containsExactly(AccessMode.MULTI_NODE_MULTI_WRITER);
        assertThat(plan.parameters()).isEqualTo(Map.of("bucketNamePrefix", "team-"));
        assertThat(plan.mountOptions()).containsExactly("allow-delete", "uid=1000");
        assertThat(plan.provisionerSecret()).hasValue(new SecretName("admin", "data"));
        assertThat(plan.nodePublishSecret()).isEmpty();
        assertThat(plan.isBlock()).isFalse();
    }

    @Test
    void theAnnotationOfEarlyKubernetesCountsAsWell() {
        assertThat(about(claim -> claim.editMetadata()
                        .removeFromAnnotations(Marks.PROVISIONER)
                        .addToAnnotations(Marks.PROVISIONER_OF_BETA, "s3.csi.scality.com")
                        .endMetadata()))
                .isInstanceOf(ClaimDecision.Provisioned.class);
        assertNothing(about(claim -> claim.editMetadata()
                .addToAnnotations(Marks.PROVISIONER, "another")
                .addToAnnotations(Marks.PROVISIONER_OF_BETA, "s3.csi.scality.com")
                .endMetadata()));
    }

    @Test
    void aClaimThatIsNotOursIsLeftAlone() {
        assertNothing(
                about(claim -> claim.editMetadata().withAnnotations(Map.of()).endMetadata()));
        assertNothing(about(claim -> claim.editSpec().withVolumeName("bound").endSpec()));
        assertNothing(about(claim -> claim.editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()));
        assertNothing(
                with(new StorageClassBuilder(CLASS).withProvisioner("another").build()));
    }

    @Test
    void aClassThatIsMissingIsNamed() {
        assertThat(refusalOf(ClaimDecision.about(Claims.claim(), Optional.empty())))
                .contains("there is no StorageClass \"s3\"");
    }

    @Test
    void aVolumeForTheFirstPodWaitsForItsNode() {
        StorageClass late = new StorageClassBuilder(CLASS)
                .withVolumeBindingMode("WaitForFirstConsumer")
                .build();
        assertNothing(with(late));
        PersistentVolumeClaim selected = new PersistentVolumeClaimBuilder(Claims.claim())
                .editMetadata()
                .addToAnnotations(Marks.SELECTED_NODE, "n1")
                .endMetadata()
                .build();
        assertThat(ClaimDecision.about(selected, Optional.of(late))).isInstanceOf(ClaimDecision.Provisioned.class);
    }

    @ParameterizedTest
    @CsvSource({
        "ReadWriteOnce, SINGLE_NODE_WRITER",
        "ReadWriteOncePod, SINGLE_NODE_WRITER",
        "ReadOnlyMany, MULTI_NODE_READER_ONLY",
        "ReadWriteMany, MULTI_NODE_MULTI_WRITER"
    })
    void accessModesAreSaidInTheWordsOfCsi(String kubernetes, AccessMode expected) {
        assertThat(planOf(about(claim ->
                                claim.editSpec().withAccessModes(kubernetes).endSpec()))
                        .modes())
                .isEqualTo(List.of(expected));
        assertThat(refusalOf(about(
                        claim -> claim.editSpec().withAccessModes("Sideways").endSpec())))
                .contains("Sideways");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "1500m, 2",
        "1Gi, 1073741824",
        "5G, 5000000000",
        "9E, 9000000000000000000",
        "16Ei, 9223372036854775807"
    })
    void sizesAreWholeBytes(String size, long bytes) {
        assertThat(planOf(about(claim -> claim.editSpec()
                                .editResources()
                                .withRequests(Map.of("storage", new Quantity(size)))
                                .endResources()
                                .endSpec()))
                        .requiredBytes())
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"VolumeSnapshot", "PersistentVolumeClaim"})
    void copiesAreRefused(String kind) {
        assertThat(refusalOf(from(kind))).contains("neither clones nor restores");
    }

    @Test
    void whatSomethingElseFillsIsLeftToIt() {
        assertThat(from("Hello")).isEqualTo(new ClaimDecision.LeftTo("Hello"));
        assertThat(about(claim -> claim.editSpec()
                        .withNewDataSourceRef("group", "Hello", "source", "elsewhere")
                        .endSpec()))
                .isEqualTo(new ClaimDecision.LeftTo("Hello"));
    }

    private static ClaimDecision from(String kind) {
        return about(claim ->
                claim.editSpec().withNewDataSource("group", kind, "source").endSpec());
    }

    @Test
    void aSelectorIsRefused() {
        assertThat(refusalOf(about(claim ->
                        claim.editSpec().withSelector(new LabelSelector()).endSpec())))
                .contains("selector");
    }

    @Test
    void aReservedParameterThatNobodyKnowsIsRefused() {
        assertThat(refusalOf(with(Claims.storageClass(Map.of("csi.storage.k8s.io/provisioner-secret-nmae", "x")))))
                .contains("csi.storage.k8s.io/provisioner-secret-nmae");
    }

    @Test
    void aSecretThatCannotBeIsRefused() {
        assertThat(refusalOf(with(Claims.storageClass(Map.of(
                        "csi.storage.k8s.io/node-publish-secret-name", "${pvc.annotations['none']}",
                        "csi.storage.k8s.io/node-publish-secret-namespace", "admin")))))
                .contains("${pvc.annotations['none']}");
    }
}
