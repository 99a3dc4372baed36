package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.StorageClassParameters.UnknownParameters;

class StorageClassParametersTest {
    private static StorageClassParameters parse(Map<String, String> parameters) {
        return StorageClassParameters.parse(parameters, UnknownParameters.REFUSE);
    }

    @Test
    void nothingIsRequired() {
        assertThat(parse(Map.of()).bucketNamePrefix()).isEmpty();
        assertThat(parse(Map.of()).region()).isEmpty();
    }

    @Test
    void prefixAndRegionAreTrimmedAndTaken() {
        StorageClassParameters parameters = parse(Map.of("bucketNamePrefix", " team-a- ", "region", " eu-1 "));
        assertThat(parameters.bucketNamePrefix()).isEqualTo("team-a-");
        assertThat(parameters.region()).contains(new Region("eu-1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Team-", "-a", "a_b-", "a/b-", "../", "a..b-", "twenty-one-characters", "ä-", "a\nb", "a b"})
    void aPrefixThatNoBucketCanHaveIsRefused(String prefix) {
        assertThatThrownBy(() -> parse(Map.of("bucketNamePrefix", prefix)))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("bucketNamePrefix");
    }

    @ParameterizedTest
    @ValueSource(strings = {"eu west", "-eu", "eu/1", "eu\n1", "eu,1"})
    void aRegionThatCannotStandInASignatureIsRefused(String region) {
        assertThatThrownBy(() -> parse(Map.of("region", region)))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("is not the name of a region");
    }

    @Test
    void aMisspeltParameterIsNamed() {
        assertThatThrownBy(() -> parse(Map.of("bucketnameprefix", "a")))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("\"bucketnameprefix\"")
                .hasMessageContaining("bucketNamePrefix and region");
    }

    @Test
    void aMisspeltParameterPassesWhereThatWasAskedFor() {
        assertThat(StorageClassParameters.parse(Map.of("colour", "red"), UnknownParameters.IGNORE)
                        .bucketNamePrefix())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"provisioner", "node-publish"})
    void aSecretNeedsNameAndNamespace(String use) {
        String name = "csi.storage.k8s.io/" + use + "-secret-name";
        String namespace = "csi.storage.k8s.io/" + use + "-secret-namespace";
        assertThatThrownBy(() -> parse(Map.of(name, "s")))
                .hasMessageContaining(use + " secret name provided but namespace is missing");
        assertThatThrownBy(() -> parse(Map.of(namespace, "n", name, " ")))
                .hasMessageContaining(use + " secret namespace provided but name is missing");
        assertThat(parse(Map.of(name, "s", namespace, "n")).region()).isEmpty();
    }

    @Test
    void whatTheSidecarAddsPasses() {
        assertThat(parse(Map.of("csi.storage.k8s.io/pvc/name", "claim")).region())
                .isEmpty();
    }
}
