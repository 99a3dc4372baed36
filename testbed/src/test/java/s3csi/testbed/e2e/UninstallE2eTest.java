package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** An administrator who uninstalls too early breaks nothing, and is told who is in the way. */
@Isolated("the driver is nearly removed, and rolled back")
class UninstallE2eTest extends ClusterStage {
    private final Terminal terminal = new Terminal(cluster);

    @Test
    void uninstallingIsRefusedWhileAPodUsesAVolume() {
        String bucket = bucket("used");
        staticVolume(bucket);
        Pod app = runningWorkload("app", bucket);
        assertThatThrownBy(() -> terminal.run("helm uninstall s3-csi --namespace kube-system --wait"))
                .hasMessageContaining(
                        "pod %s/app (%s)", namespace, app.getMetadata().getUid())
                .hasMessageContaining("volume " + bucket);
        assertThat(shell(app, "cat /data/greeting")).isEqualTo(bucket);
        assertThat(terminal.run("kubectl get daemonset --namespace kube-system --output name"))
                .contains("s3-csi-node");
        terminal.run("helm rollback s3-csi --namespace kube-system --wait"
                + " $(helm status s3-csi --namespace kube-system | sed -n 's/^REVISION: //p')");
        assertThat(terminal.run("helm status s3-csi --namespace kube-system")).contains("STATUS: deployed");
        assertThat(shell(app, "cat /data/greeting")).isEqualTo(bucket);
    }
}
