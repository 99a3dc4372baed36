package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import s3csi.control.WrittenEvents;
import s3csi.kubernetes.PodAttachment;

/** To the API server, and only while this controller leads. */
public final class ApiServerWrites implements ClusterWrites {
    private final KubernetesClient client;
    private final WrittenEvents events;
    private final BooleanSupplier isLeading;

    /**
     * Writes as the given client.
     *
     * @param isLeading asked before each write
     */
    public ApiServerWrites(KubernetesClient client, BooleanSupplier isLeading) {
        this.client = client;
        this.events = new WrittenEvents(client);
        this.isLeading = isLeading;
    }

    /** This controller does not lead, or cannot be sure of it. */
    private static final class NotLeading extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotLeading() {
            super("this controller does not hold the lease");
        }
    }

    private void requireLeading() {
        if (!isLeading.getAsBoolean()) {
            throw new NotLeading();
        }
    }

    @Override
    public Pod create(Pod mountpointPod) {
        requireLeading();
        return client.resource(mountpointPod).create();
    }

    @Override
    public PodAttachment create(PodAttachment attachment) {
        requireLeading();
        return client.resource(attachment).create();
    }

    @Override
    public PodAttachment update(PodAttachment changed) {
        requireLeading();
        return client.resource(changed).update();
    }

    @Override
    public void delete(PodAttachment seen) {
        deleteIfUnchanged(seen);
    }

    @Override
    public void delete(Pod seen) {
        deleteIfUnchanged(seen);
    }

    private void deleteIfUnchanged(HasMetadata seen) {
        requireLeading();
        client.resource(seen)
                .lockResourceVersion(seen.getMetadata().getResourceVersion())
                .delete();
    }

    @Override
    public Optional<Pod> annotate(Pod seen, String key, String value) {
        requireLeading();
        // The UID makes it a condition: another pod of the same name is left alone.
        String patch = "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{\"%s\":\"%s\"}}}"
                .formatted(seen.getMetadata().getUid(), key, value);
        try {
            return Optional.ofNullable(client.pods()
                    .inNamespace(seen.getMetadata().getNamespace())
                    .withName(seen.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), patch));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void announce(Event event) {
        requireLeading();
        events.write(event);
    }
}
