package s3csi.volume.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.VolumeFailure;

class TargetPathTest {
    @Test
    void kubeletsFormNamesPodAndVolume() {
        assertThat(TargetPath.parse("/var/lib/kubelet/pods/U/volumes/kubernetes.io~csi/s3-csi~driver/mount")
                        .workload())
                .contains(new Workload("U", "s3-csi~driver"));
        assertThat(TargetPath.parse("/elsewhere/pods/U/volumes/kubernetes.io~csi/pv/mount")
                        .workload())
                .contains(new Workload("U", "pv"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/var/lib/kubelet/pods/U/volumes/kubernetes.io~csi/pv",
                "/var/lib/kubelet/pods/U/volumes/kubernetes.io~csi/mount",
                "/var/lib/kubelet/pods/U/volumes/pv/mount",
                "/var/lib/kubelet/pods/U/kubernetes.io~csi/pv/mount",
                "/var/lib/kubelet/pods/volumes/kubernetes.io~csi/pv/mount",
                "/x"
            })
    void otherFormsNameNothing(String path) {
        assertThat(TargetPath.parse(path).workload()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "a/b", "/a/../b", "/a/..", "/a/./b", "/a\nb", "/a\u0000", "/\u202e"})
    void hostilePathsAreRefused(String path) {
        assertThatThrownBy(() -> TargetPath.parse(path))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("target_path");
    }

    @Test
    void endlessPathsAreRefused() {
        assertThatThrownBy(() -> TargetPath.parse("/x".repeat(2048))).isInstanceOf(VolumeFailure.class);
        assertThatThrownBy(() -> TargetPath.parse("/" + "x".repeat(256))).isInstanceOf(VolumeFailure.class);
    }

    @Test
    void theLongestPathsThatTheKernelTakesAreTaken() {
        String longest = "/" + "x".repeat(255);
        assertThat(TargetPath.parse(longest)).hasToString(longest);
        assertThat(TargetPath.parse("/" + "ü".repeat(127)).text()).hasSize(128);
        assertThatThrownBy(() -> TargetPath.parse("/" + "ü".repeat(128))).isInstanceOf(VolumeFailure.class);
        String deepest = "/x".repeat(2047) + "y";
        assertThat(TargetPath.parse(deepest)).hasToString(deepest);
        assertThatThrownBy(() -> TargetPath.parse(deepest + "z")).isInstanceOf(VolumeFailure.class);
    }

    @Test
    void superfluousSlashesAreNothing() {
        assertThat(TargetPath.parse("//a///b/")).hasToString("/a/b");
    }

    @Test
    void aTargetLiesBelowItsRootNotAtIt() {
        TargetPath target = TargetPath.parse("/base/pods/x");
        assertThat(target.requireBelow("/base")).isEqualTo(target);
        assertThat(target.requireBelow("/base/")).isEqualTo(target);
        assertThat(target.requireBelow("/")).isEqualTo(target);
        assertThatThrownBy(() -> target.requireBelow("/base/pods/x")).hasMessageContaining("is not below");
        assertThatThrownBy(() -> target.requireBelow("/ba")).hasMessageContaining("is not below /ba");
    }
}
