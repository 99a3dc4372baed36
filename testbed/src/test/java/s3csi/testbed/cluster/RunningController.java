package s3csi.testbed.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import s3csi.kubernetes.Cluster;
import s3csi.reconciler.loop.ApiServerWrites;
import s3csi.reconciler.loop.ClusterWrites;
import s3csi.reconciler.loop.Controller;
import s3csi.reconciler.model.MountpointPodSettings;
import s3csi.reconciler.model.PodResources;

/** A controller in this process that always leads. */
public record RunningController(KubernetesClient client, Controller controller, PrometheusRegistry registry)
        implements AutoCloseable {
    static final String VERSION = "3.0.0-test";

    static final MountpointPodSettings SETTINGS = new MountpointPodSettings(
            ControlPlane.MOUNTPOINT_NAMESPACE,
            VERSION,
            "1.0",
            "driver:test",
            "IfNotPresent",
            List.of(),
            "/bin/scality-s3-csi-mounter",
            ControlPlane.PRIORITY_CLASS,
            Map.of(),
            Optional.empty(),
            PodResources.NONE,
            false);

    public static RunningController start(ControlPlane plane) {
        return start(plane, Clock.systemUTC(), writes -> writes);
    }

    /** With writes that are made to fail, or a clock that is not the time. */
    static RunningController start(ControlPlane plane, Clock clock, UnaryOperator<ClusterWrites> faults) {
        return start(Cluster.of(plane.kubeconfig()), clock, faults);
    }

    static RunningController start(Cluster cluster, Clock clock, UnaryOperator<ClusterWrites> faults) {
        KubernetesClient client = cluster.connect("controller", VERSION);
        PrometheusRegistry registry = new PrometheusRegistry();
        Controller controller = new Controller(
                client, faults.apply(new ApiServerWrites(client, () -> true)), SETTINGS, clock, registry);
        try {
            controller.watch();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting a controller", e);
        }
        controller.lead();
        return new RunningController(client, controller, registry);
    }

    /** How often something was reconciled. */
    double reconciles() {
        return registry.scrape().stream()
                .filter(outcomes -> outcomes.getMetadata().getName().startsWith("s3csi_reconciles"))
                .flatMap(outcomes -> outcomes.getDataPoints().stream())
                .mapToDouble(outcome -> ((CounterSnapshot.CounterDataPointSnapshot) outcome).getValue())
                .sum();
    }

    @Override
    public void close() {
        controller.close();
        client.close();
    }
}
