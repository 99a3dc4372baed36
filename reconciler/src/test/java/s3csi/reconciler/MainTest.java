package s3csi.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
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
    void wordsAreTakenWithTheirOwnOptions() {
        assertThat(Main.run(List.of("apply-definition", "--help"))).isZero();
        assertThat(Main.run(List.of("before-uninstall", "--help"))).isZero();
        assertThat(Main.run(List.of("before-uninstall"))).isEqualTo(2);
        assertThat(Main.run(List.of("no-such-word"))).isEqualTo(2);
        assertThat(Main.run(List.of("apply-definition", "--kubeconfig=/no/such/file")))
                .isEqualTo(1);
    }

    @Test
    void anApiServerThatCannotBeReachedIsToldWithTheReason() {
        assertThat(Main.reason(new KubernetesClientException(
                        "An error has occurred.", new IOException("Failed", new ConnectException("refused")))))
                .isEqualTo("java.net.ConnectException: refused");
        assertThat(Main.reason(new KubernetesClientException("Forbidden! The role lacks leases.")))
                .isEqualTo("Forbidden! The role lacks leases.");
    }

    @Test
    void itDoesNotRunWithoutBeingToldWhatItNeeds() {
        assertThat(Main.run(List.of("--kubeconfig=/no/such/file"))).isEqualTo(1);
    }
}
