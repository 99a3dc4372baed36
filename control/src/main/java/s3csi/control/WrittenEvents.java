package s3csi.control;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Objects;

/** Events in the API server, where one that is there already under its name is counted up. */
public final class WrittenEvents {
    private final KubernetesClient client;

    public WrittenEvents(KubernetesClient client) {
        this.client = client;
    }

    public void write(Event event) {
        try {
            client.resource(event).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            countUp(event);
        }
    }

    private void countUp(Event event) {
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
