package s3csi.control;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Objects;

/** Events in the cluster. One that is there already is counted up. */
public final class CountedEvents {
    private CountedEvents() {}

    public static void put(KubernetesClient client, Event event) {
        try {
            var _ = client.resource(event).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            countUp(client, event);
        }
    }

    private static void countUp(KubernetesClient client, Event event) {
        Resource<Event> there = client.v1()
                .events()
                .inNamespace(event.getMetadata().getNamespace())
                .withName(event.getMetadata().getName());
        Event before = there.get();
        if (before != null) {
            int count = Objects.requireNonNullElse(before.getCount(), 0) + event.getCount();
            there.patch(
                    PatchContext.of(PatchType.JSON_MERGE),
                    "{\"count\":%d,\"lastTimestamp\":\"%s\"}".formatted(count, event.getLastTimestamp()));
        }
    }
}
