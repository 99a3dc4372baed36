package s3csi.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ImageNameTest {
    @ParameterizedTest
    @CsvSource({
        "busybox:test,                    docker.io/library/busybox:test",
        "scality/s3-csi-driver:3.0.0,     docker.io/scality/s3-csi-driver:3.0.0",
        "store.example/team/driver:3,     store.example/team/driver:3",
        "store:5000/driver:3,             store:5000/driver:3",
        "localhost/driver:3,              localhost/driver:3",
    })
    void containerdKnowsAnImageByTheNameThatKubeletAsksFor(String name, String known) {
        assertThat(ImageName.of(name).withHost()).isEqualTo(known);
    }

    @ParameterizedTest
    @ValueSource(strings = {"busybox", "store:5000/driver", "driver:"})
    void aNameWithoutATagIsRefused(String name) {
        assertThatThrownBy(() -> ImageName.of(name)).hasMessageContaining("expected REPOSITORY:TAG");
    }
}
