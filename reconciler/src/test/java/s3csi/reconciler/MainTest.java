package s3csi.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void wrongUsageIsTold() {
        assertThat(Main.run(List.of("--no-such-option"))).isEqualTo(2);
    }

    @Test
    void helpAndVersionNeedNoCluster() {
        assertThat(Main.run(List.of("--help"))).isZero();
        assertThat(Main.run(List.of("--version"))).isZero();
    }

    @Test
    void itDoesNotRunWithoutBeingToldWhatItNeeds() {
        assertThat(Main.run(List.of("--kubeconfig=/no/such/file"))).isEqualTo(1);
    }
}
