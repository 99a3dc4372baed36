package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which workloads count as departed, so that their volumes are unmounted at once. */
class ClusterEventsTest {
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();
    private final ClusterCache cache = new ClusterCache(client, "mount-s3");
    private final DepartedWorkloads departed = new DepartedWorkloads(() -> 0, Duration.ofMinutes(2));
    private final ClusterEvents events = new ClusterEvents(cache, new SeenWrites(() -> 0), departed, _ -> {});

    @AfterEach
    void close() {
        cache.close();
        client.close();
    }

    private static PodBuilder pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("app")
                .withUid("uid-1")
                .endMetadata()
                .withNewSpec()
                .endSpec();
    }

    private static Pod workload() {
        return pod().editSpec()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("data", false)
                .endVolume()
                .endSpec()
                .build();
    }

    @Test
    void aWorkloadThatWasSeenToGoHasDeparted() {
        events.ofPods().onDelete(workload(), false);

        assertThat(departed.contains("uid-1")).isTrue();
    }

    /** It may come from a server that is behind, and the workload may run. */
    @Test
    void aListWithoutAWorkloadIsNoDeparture() {
        events.ofPods().onDelete(workload(), true);

        assertThat(departed.contains("uid-1")).isFalse();
    }

    @Test
    void podsWithoutClaimsNeedNotBeRemembered() {
        events.ofPods().onDelete(pod().build(), false);

        assertThat(departed.contains("uid-1")).isFalse();
    }
}
