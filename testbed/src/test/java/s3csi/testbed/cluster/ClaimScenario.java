package s3csi.testbed.cluster;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import s3csi.provisioner.model.Marks;
import s3csi.s3.testing.process.Await;
import s3csi.volume.Driver;

/** Claims and classes of one test, in a namespace of its own, and what Kubernetes' own controllers would write. */
final class ClaimScenario {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final KubernetesClient client;
    private final String name;

    /** Makes its namespace. */
    ClaimScenario(KubernetesClient client, String name) {
        this.client = client;
        this.name = name;
        namespace(name);
    }

    void namespace(String made) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(made)
                        .endMetadata()
                        .build())
                .create();
    }

    String namespace() {
        return name;
    }

    String className() {
        return "class-of-" + name;
    }

    /** One class, which all claims of the test have. */
    void storageClass(Map<String, String> parameters) {
        storageClass(parameters, made -> made);
    }

    void storageClass(Map<String, String> parameters, UnaryOperator<StorageClassBuilder> change) {
        client.resource(change.apply(new StorageClassBuilder()
                                .withNewMetadata()
                                .withName(className())
                                .endMetadata()
                                .withProvisioner(Driver.NAME)
                                .withMountOptions("allow-delete")
                                .withParameters(parameters))
                        .build())
                .create();
    }

    PersistentVolumeClaim claim(String claim) {
        return claim(name, claim, made -> made);
    }

    /** With the annotations that Kubernetes sets for a provisioner that is no part of it. */
    PersistentVolumeClaim claim(String namespace, String claim, UnaryOperator<PersistentVolumeClaimBuilder> change) {
        return client.resource(change.apply(new PersistentVolumeClaimBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName(claim)
                                .addToAnnotations(Marks.PROVISIONER, Driver.NAME)
                                .addToAnnotations(Marks.PROVISIONER_OF_BETA, Driver.NAME)
                                .endMetadata()
                                .withNewSpec()
                                .withAccessModes("ReadWriteMany")
                                .withStorageClassName(className())
                                .withNewResources()
                                .addToRequests("storage", new Quantity("1Gi"))
                                .endResources()
                                .endSpec())
                        .build())
                .create();
    }

    void secret(String namespace, String secret, Map<String, String> values) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(secret)
                        .endMetadata()
                        .withStringData(values)
                        .build())
                .create();
    }

    static String volumeOf(PersistentVolumeClaim claim) {
        return "pvc-" + claim.getMetadata().getUid();
    }

    Optional<PersistentVolume> volume(PersistentVolumeClaim claim) {
        return volume(volumeOf(claim));
    }

    Optional<PersistentVolume> volume(String volume) {
        return Optional.ofNullable(client.persistentVolumes().withName(volume).get());
    }

    PersistentVolume awaitVolume(PersistentVolumeClaim claim) {
        soon("a volume of " + claim.getMetadata().getName(), () -> volume(claim).isPresent());
        return volume(claim).orElseThrow();
    }

    /** What Kubernetes does when a claim got its volume, or has gone. */
    void becomes(String volume, String phase) {
        client.persistentVolumes()
                .withName(volume)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"" + phase + "\"}}");
    }

    /** As a user does it, and what Kubernetes does when no pod uses it. */
    void delete(PersistentVolumeClaim claim) {
        client.resource(claim).delete();
        client.persistentVolumeClaims()
                .inNamespace(claim.getMetadata().getNamespace())
                .withName(claim.getMetadata().getName())
                .edit(found -> new PersistentVolumeClaimBuilder(found)
                        .editMetadata()
                        .removeFromFinalizers("kubernetes.io/pvc-protection")
                        .endMetadata()
                        .build());
    }

    /** What Kubernetes does when a volume is bound to nothing any more, whoever writes at the same time. */
    void unprotect(String volume) {
        soon(
                "the volume " + volume + " is not protected",
                () -> volume(volume).map(this::isUnprotected).orElse(true));
    }

    private boolean isUnprotected(PersistentVolume seen) {
        String left = seen.getMetadata().getFinalizers().stream()
                .filter(finalizer -> !finalizer.equals("kubernetes.io/pv-protection"))
                .map(finalizer -> '"' + finalizer + '"')
                .collect(Collectors.joining(","));
        try {
            client.persistentVolumes()
                    .withName(seen.getMetadata().getName())
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"resourceVersion\":\"%s\",\"finalizers\":[%s]}}"
                                    .formatted(seen.getMetadata().getResourceVersion(), left));
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    List<Event> eventsAbout(HasMetadata object, String reason) {
        String namespace = object.getMetadata().getNamespace();
        return client.v1().events().inNamespace(namespace == null ? "default" : namespace).list().getItems().stream()
                .filter(event -> object.getMetadata()
                                .getUid()
                                .equals(event.getInvolvedObject().getUid())
                        && event.getReason().equals(reason))
                .toList();
    }

    String awaitEvent(HasMetadata object, String reason) {
        soon("an Event " + reason, () -> !eventsAbout(object, reason).isEmpty());
        return eventsAbout(object, reason).getFirst().getMessage();
    }

    void soon(String what, BooleanSupplier condition) {
        Await.until(SOON, () -> "not within " + SOON + ": " + what, condition);
    }
}
