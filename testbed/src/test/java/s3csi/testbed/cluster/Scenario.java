package s3csi.testbed.cluster;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretReference;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.PodAttachment;
import s3csi.s3.testing.process.Await;
import s3csi.volume.Driver;

/**
 * Workloads and volumes of one test, in a namespace and on nodes of its own, and the parts of Kubernetes that do not run here: what binder,
 * scheduler and kubelet would write.
 */
public final class Scenario {
    public static final Duration SOON = Duration.ofSeconds(30);

    private final KubernetesClient client;
    private final String name;

    /** Makes its namespace. */
    public Scenario(KubernetesClient client, String name) {
        this.client = client;
        this.name = name;
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    public KubernetesClient client() {
        return client;
    }

    /** Its namespace. */
    public String name() {
        return name;
    }

    /** All pods of this test that use volumes. */
    public List<Pod> workloads() {
        return client.pods().inNamespace(name).list().getItems();
    }

    public String node(String node) {
        return name + "-" + node;
    }

    public String volumeName(String volume) {
        return name + "-" + volume;
    }

    /** A volume and a claim of the same name, which are bound to each other. */
    public void boundVolume(String volume) {
        boundVolume(volume, Driver.NAME, Map.of("bucketName", "bucket"));
    }

    public void boundVolume(String volume, String driver, Map<String, String> attributes) {
        volume(volume, driver, attributes);
        claim(volume);
        bind(volume);
    }

    public void volume(String volume, String driver, Map<String, String> attributes) {
        volume(volume, driver, attributes, Optional.empty());
    }

    /**
     * A volume.
     *
     * @param publishSecret what it names as the Secret of its mounts
     */
    public void volume(String volume, String driver, Map<String, String> attributes, Optional<String> publishSecret) {
        client.resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(volumeName(volume))
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteMany")
                        .addToCapacity("storage", new Quantity("1Gi"))
                        .withMountOptions("allow-delete")
                        .withNewClaimRef()
                        .withNamespace(name)
                        .withName(volume)
                        .endClaimRef()
                        .withNewCsi()
                        .withDriver(driver)
                        .withVolumeHandle("handle-of-" + volumeName(volume))
                        .withVolumeAttributes(attributes)
                        .withNodePublishSecretRef(publishSecret
                                .map(secret -> new SecretReference(secret, name))
                                .orElse(null))
                        .endCsi()
                        .endSpec()
                        .build())
                .create();
    }

    public PersistentVolumeClaim claim(String claim) {
        return client.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(name)
                        .withName(claim)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteMany")
                        .withStorageClassName("")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
    }

    /** What Kubernetes' binder does. */
    public void bind(String claim) {
        bind(claim, claim);
    }

    public void bind(String claim, String volume) {
        client.persistentVolumeClaims()
                .inNamespace(name)
                .withName(claim)
                .edit(found -> new PersistentVolumeClaimBuilder(found)
                        .editSpec()
                        .withVolumeName(volumeName(volume))
                        .endSpec()
                        .build());
        client.persistentVolumeClaims()
                .inNamespace(name)
                .withName(claim)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"Bound\"}}");
    }

    /** Removes a volume and its claim by force: without what keeps them while pods use them. */
    public void removeVolume(String volume) {
        Resource<PersistentVolumeClaim> claim =
                client.persistentVolumeClaims().inNamespace(name).withName(volume);
        Resource<PersistentVolume> bound = client.persistentVolumes().withName(volumeName(volume));
        removeByForce(claim);
        removeByForce(bound);
        soon("claim and volume are gone", () -> claim.get() == null && bound.get() == null);
    }

    private static <T extends HasMetadata> void removeByForce(Resource<T> object) {
        object.edit(found -> {
            found.getMetadata().setFinalizers(List.of());
            return found;
        });
        object.delete();
    }

    public void mountOptions(String volume, String... options) {
        client.persistentVolumes()
                .withName(volumeName(volume))
                .edit(found -> new PersistentVolumeBuilder(found)
                        .editSpec()
                        .withMountOptions(options)
                        .endSpec()
                        .build());
    }

    /** A pod on a node that uses claims. */
    public Pod workload(String pod, String node, String... claims) {
        return workload(pod, Optional.of(node), Optional.empty(), volumesOf(claims));
    }

    /** A pod that no node was found for yet. */
    public Pod unscheduled(String pod, String... claims) {
        return workload(pod, Optional.empty(), Optional.empty(), volumesOf(claims));
    }

    public static List<Volume> volumesOf(String... claims) {
        return Stream.of(claims)
                .map(claim -> new VolumeBuilder()
                        .withName(claim)
                        .withNewPersistentVolumeClaim()
                        .withClaimName(claim)
                        .endPersistentVolumeClaim()
                        .build())
                .toList();
    }

    public Pod workload(String pod, Optional<String> node, Optional<Long> fsGroup, List<Volume> volumes) {
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(name)
                        .withName(pod)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node.map(this::node).orElse(null))
                        .withNewSecurityContext()
                        .withFsGroup(fsGroup.orElse(null))
                        .endSecurityContext()
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .withVolumes(volumes)
                        .endSpec()
                        .build())
                .create();
    }

    /** What Kubernetes' scheduler does. */
    public void schedule(Pod pod, String node) {
        client.raw(
                "/api/v1/namespaces/%s/pods/%s/binding"
                        .formatted(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName()),
                "POST",
                Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Binding",
                        "metadata",
                        Map.of("name", pod.getMetadata().getName()),
                        "target",
                        Map.of("apiVersion", "v1", "kind", "Node", "name", node(node))));
    }

    /** What kubelet does. */
    public void becomes(Pod pod, String phase) {
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"" + phase + "\"}}");
    }

    /** What kubelet does when the program of a pod ends well, unless the pod was removed just before. */
    public void succeedsIfThere(Pod pod) {
        try {
            becomes(pod, "Succeeded");
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    /** As a user does it: it stays, terminating, until kubelet is done with it. */
    public void delete(Pod pod) {
        client.resource(pod).delete();
    }

    /** What kubelet does when a pod that was deleted has ended, and what a user does who forces it. */
    public void remove(HasMetadata pod) {
        client.resource(pod).withGracePeriod(0).delete();
    }

    public List<PodAttachment> attachments() {
        return client.resources(PodAttachment.class).list().getItems().stream()
                .filter(attachment -> attachment.getSpec().nodeName().startsWith(name + "-"))
                .toList();
    }

    /** All that serve a volume of this test, or did. */
    public List<Pod> mountpointPods() {
        return client.pods().inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getMetadata()
                        .getAnnotations()
                        .getOrDefault(Annotations.VOLUME_NAME, "")
                        .startsWith(name + "-"))
                .toList();
    }

    public Pod onlyMountpointPod() {
        List<Pod> pods = mountpointPods();
        if (pods.size() != 1) {
            throw new AssertionError("not one Mountpoint Pod, but " + names(pods));
        }
        return pods.getFirst();
    }

    /** The UIDs that attachments list, each once, and only where one Mountpoint Pod that is there serves it. */
    public List<String> served() {
        List<String> pods = names(mountpointPods());
        List<String> served = new ArrayList<>();
        for (PodAttachment attachment : attachments()) {
            attachment.getSpec().mountpointS3PodAttachments().forEach((pod, workloads) -> {
                if (pods.contains(pod)) {
                    workloads.forEach(workload -> served.add(workload.workloadPodUID()));
                }
            });
        }
        return served;
    }

    public boolean isServed(Pod... workloads) {
        List<String> wanted = Stream.of(workloads)
                .map(pod -> pod.getMetadata().getUid())
                .sorted()
                .toList();
        return served().stream().sorted().toList().equals(wanted);
    }

    public List<Event> eventsAbout(HasMetadata object) {
        return client.v1().events().inNamespace(object.getMetadata().getNamespace()).list().getItems().stream()
                .filter(event -> object.getMetadata()
                        .getUid()
                        .equals(event.getInvolvedObject().getUid()))
                .toList();
    }

    public static List<String> names(Collection<? extends HasMetadata> objects) {
        return objects.stream().map(object -> object.getMetadata().getName()).toList();
    }

    public void soon(String what, BooleanSupplier condition) {
        Await.until(
                SOON,
                () -> "not within " + SOON + ": " + what + "; attachments "
                        + attachments().stream().map(PodAttachment::getSpec).toList() + ", Mountpoint Pods "
                        + names(mountpointPods()),
                condition);
    }
}
