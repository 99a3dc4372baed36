package s3csi.testbed.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import s3csi.kubernetes.Cluster;
import s3csi.provisioner.csi.CsiAddress;
import s3csi.provisioner.csi.CsiController;
import s3csi.provisioner.loop.ProvisioningLoop;

/** What provisions, in this process, without an election. */
record RunningProvisioner(KubernetesClient client, CsiController driver, ProvisioningLoop loop)
        implements AutoCloseable {
    static RunningProvisioner start(ControlPlane plane, Path socket) {
        return start(plane, socket, () -> true);
    }

    /** One that may write only as long as it is told so. */
    static RunningProvisioner start(ControlPlane plane, Path socket, BooleanSupplier mayWrite) {
        KubernetesClient client = Cluster.of(plane.kubeconfig()).connect("provisioner", "0");
        CsiController driver = new CsiController(new CsiAddress(socket));
        ProvisioningLoop loop =
                new ProvisioningLoop(client, driver, mayWrite, Clock.systemUTC(), new PrometheusRegistry());
        try {
            loop.watch();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting a provisioner", e);
        }
        loop.lead();
        return new RunningProvisioner(client, driver, loop);
    }

    @Override
    public void close() {
        loop.close();
        driver.close();
        client.close();
    }
}
