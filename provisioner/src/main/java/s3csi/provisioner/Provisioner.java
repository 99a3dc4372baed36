package s3csi.provisioner;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import s3csi.control.Leadership;
import s3csi.provisioner.csi.CsiAddress;
import s3csi.provisioner.csi.CsiController;
import s3csi.provisioner.loop.ProvisioningLoop;

/** Provisions for the driver behind a socket, while it holds the lease that csi-provisioner would hold. */
public final class Provisioner implements AutoCloseable {
    /** How csi-provisioner calls the lease of this driver. So one of the two provisions, whichever was first. */
    public static final String LEASE = "s3-csi-scality-com";

    private final CsiController driver;
    private final ProvisioningLoop loop;
    private final Leadership leadership;

    /**
     * Puts it together; nothing happens before {@link #start}.
     *
     * @param lost is called when the lease is lost; the process has to end then, as calls of the driver may be under way
     */
    public Provisioner(
            KubernetesClient client,
            CsiAddress address,
            String leaseNamespace,
            Clock clock,
            PrometheusRegistry registry,
            Runnable lost) {
        driver = new CsiController(address);
        AtomicReference<Leadership> leader = new AtomicReference<>();
        loop = new ProvisioningLoop(client, driver, () -> leader.get().isLeading(), clock, registry);
        leadership =
                new Leadership(client, leaseNamespace, LEASE, Leadership.identity(System.getenv()), loop::lead, lost);
        leader.set(leadership);
    }

    /** Watches, and takes part in the election. */
    public void start() throws InterruptedException {
        loop.watch();
        leadership.start();
    }

    /** Why it does not do its work; empty while it does, or another one does. */
    public Optional<String> trouble() {
        return loop.trouble();
    }

    /** Nothing is written after this, and another can begin at once. */
    @Override
    public void close() {
        loop.close();
        leadership.close();
        driver.close();
    }
}
