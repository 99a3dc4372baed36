package s3csi.provisioner.loop;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import s3csi.control.NotYet;
import s3csi.control.WrittenEvents;

/** All that is ever written, and only while this controller holds the lease. */
final class ProvisioningWrites {
    private final KubernetesClient client;
    private final WrittenEvents events;
    private final BooleanSupplier isLeading;

    ProvisioningWrites(KubernetesClient client, BooleanSupplier isLeading) {
        this.client = client;
        this.events = new WrittenEvents(client);
        this.isLeading = isLeading;
    }

    /** Before each write, and before the driver is asked to make or delete anything. */
    void requireLeading() {
        if (!isLeading.getAsBoolean()) {
            throw new NotYet("this controller does not hold the lease");
        }
    }

    /** One that is there already is the same: its name has the UID of its claim in it. */
    void create(PersistentVolume volume) {
        requireLeading();
        try {
            var _ = client.resource(volume).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    /** Only if it is still what was seen; otherwise this fails with a conflict. One that is gone is no failure. */
    void finalizers(PersistentVolume seen, List<String> finalizers) {
        requireLeading();
        String patch = "{\"metadata\":{\"uid\":\"%s\",\"resourceVersion\":\"%s\",\"finalizers\":[%s]}}"
                .formatted(
                        seen.getMetadata().getUid(),
                        seen.getMetadata().getResourceVersion(),
                        finalizers.stream()
                                .map(finalizer -> '"' + finalizer + '"')
                                .collect(Collectors.joining(",")));
        try {
            var _ = client.persistentVolumes()
                    .withName(seen.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    /** Only if it is still what was seen. With a finalizer it stays until that is removed. */
    void delete(PersistentVolume seen) {
        requireLeading();
        var _ = client.resource(seen)
                .lockResourceVersion(seen.getMetadata().getResourceVersion())
                .delete();
    }

    void announce(Event event) {
        requireLeading();
        events.write(event);
    }
}
