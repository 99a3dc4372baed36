package s3csi.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelsTest {
    @Test
    void keysAreThoseOfEarlierReleases() {
        assertThat(Labels.MOUNTPOINT_VERSION).isEqualTo("s3.csi.scality.com/mountpoint-version");
        assertThat(Labels.POD_UID).isEqualTo("s3.csi.scality.com/pod-uid");
        assertThat(Labels.VOLUME_NAME).isEqualTo("s3.csi.scality.com/volume-name");
        assertThat(Labels.DRIVER_VERSION).isEqualTo("s3.csi.scality.com/mounted-by-csi-driver-version");
        assertThat(Annotations.NEEDS_UNMOUNT).isEqualTo("s3.csi.scality.com/needs-unmount");
        assertThat(Annotations.NO_NEW_WORKLOAD).isEqualTo("s3.csi.scality.com/no-new-workload");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "A9", "pvc-3f2a", "a.b_c-d", "3.0.0-SNAPSHOT"})
    void aLabelHoldsOrdinaryNames(String text) {
        assertThat(Labels.canHold(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-a", "a-", ".", "a/b", "a b", "a\n", "ä", "3.0.0+build"})
    void aLabelHoldsNoOtherCharacters(String text) {
        assertThat(Labels.canHold(text)).isFalse();
    }

    @Test
    void aLabelHolds63Characters() {
        assertThat(Labels.canHold("x".repeat(63))).isTrue();
        assertThat(Labels.canHold("x".repeat(64))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A_b.c", "example.com/a", "a-b.example/Team", "x/y"})
    void aKeyMayBeOfADomain(String text) {
        assertThat(Labels.canBeKey(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a/", "/a", "a/b/c", "A.example/x", "-a", "a b", "a..b/c", "a_b/c"})
    void otherTextsAreNoKeys(String text) {
        assertThat(Labels.canBeKey(text)).isFalse();
        assertThat(Labels.canBeKey("x".repeat(64))).isFalse();
        assertThat(Labels.canBeKey("x".repeat(254) + "/a")).isFalse();
    }
}
