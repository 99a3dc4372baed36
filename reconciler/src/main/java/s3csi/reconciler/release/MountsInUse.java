package s3csi.reconciler.release;

import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodPhase;
import s3csi.volume.mount.Names;

/**
 * Who uses which mount at this moment.
 *
 * @param attachments all, whether their workloads still run or not
 * @param mountpointPods those that may still have something mounted
 */
record MountsInUse(List<PodAttachment> attachments, List<Pod> mountpointPods, List<Use> uses) {
    /** A page of this many pods is in memory at a time. */
    private static final long PAGE = 500;

    private static final String NODE_FIELD = "spec.nodeName";

    /**
     * A workload that runs, and what serves it.
     *
     * @param workload namespace and name
     */
    record Use(String workload, String uid, String node, String volume, String mountpointPod) {}

    static MountsInUse in(KubernetesClient client, String namespace) {
        List<PodAttachment> attachments = attachments(client);
        List<Pod> pods = mountpointPods(client, namespace);
        Map<String, String> running = running(client, nodes(attachments, pods));
        Stream<Use> listed = attachments.stream().flatMap(attachment -> uses(attachment, running));
        // One whose attachment was deleted by some hand still serves the workload that it was made for.
        Stream<Use> unlisted = pods.stream()
                .map(MountpointPod::of)
                .flatMap(pod -> use(running, pod.workloadUid(), pod.node(), pod.persistentVolume(), pod.name()));
        return new MountsInUse(
                attachments, pods, Stream.concat(listed, unlisted).distinct().toList());
    }

    private static Stream<Use> uses(PodAttachment attachment, Map<String, String> running) {
        return attachment.getSpec().mountpointS3PodAttachments().entrySet().stream()
                .flatMap(served -> served.getValue().stream()
                        .flatMap(workload -> use(
                                running,
                                workload.workloadPodUID(),
                                attachment.getSpec().nodeName(),
                                attachment.getSpec().persistentVolumeName(),
                                served.getKey())));
    }

    private static Stream<Use> use(
            Map<String, String> running, String uid, String node, String volume, String mountpointPod) {
        String workload = running.get(uid);
        return workload == null ? Stream.empty() : Stream.of(new Use(workload, uid, node, volume, mountpointPod));
    }

    /** None where there is no definition of them. */
    private static List<PodAttachment> attachments(KubernetesClient client) {
        try {
            return client.resources(PodAttachment.class).list().getItems();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    /** One that has ended, or has never begun, has nothing mounted. */
    static List<Pod> mountpointPods(KubernetesClient client, String namespace) {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(Names.SOURCE_PREFIX))
                .filter(pod -> switch (MountpointPod.of(pod).phase()) {
                    case RUNNING, UNKNOWN -> true;
                    case PENDING, SUCCEEDED, FAILED -> false;
                })
                .toList();
    }

    private static Set<String> nodes(List<PodAttachment> attachments, List<Pod> mountpointPods) {
        Set<String> nodes = new TreeSet<>();
        attachments.forEach(attachment -> nodes.add(attachment.getSpec().nodeName()));
        mountpointPods.forEach(pod -> nodes.add(MountpointPod.of(pod).node()));
        nodes.remove("");
        return nodes;
    }

    /** Names by UID of the pods on these nodes that have not ended. */
    private static Map<String, String> running(KubernetesClient client, Set<String> nodes) {
        Map<String, String> running = new HashMap<>();
        for (String node : nodes) {
            FilterWatchListDeletable<Pod, PodList, ?> onNode =
                    client.pods().inAnyNamespace().withField(NODE_FIELD, node);
            Optional<String> next = Optional.of("");
            while (next.isPresent()) {
                PodList page = onNode.list(pageAfter(next.get()));
                page.getItems().stream()
                        .filter(pod -> !PodPhase.of(
                                        pod.getStatus() == null
                                                ? null
                                                : pod.getStatus().getPhase())
                                .hasEnded())
                        .forEach(pod -> running.put(
                                pod.getMetadata().getUid(),
                                pod.getMetadata().getNamespace() + "/"
                                        + pod.getMetadata().getName()));
                next = Optional.ofNullable(page.getMetadata().getContinue()).filter(token -> !token.isEmpty());
            }
        }
        return running;
    }

    private static ListOptions pageAfter(String token) {
        return new ListOptionsBuilder()
                .withLimit(PAGE)
                .withContinue(token.isEmpty() ? null : token)
                .build();
    }

    /** The Mountpoint Pods that nobody needs. */
    List<Pod> idle() {
        Set<String> serving = uses.stream().map(Use::mountpointPod).collect(Collectors.toSet());
        return mountpointPods.stream()
                .filter(pod -> !serving.contains(pod.getMetadata().getName()))
                .toList();
    }

    /** The attachments that list nobody who still runs. */
    List<PodAttachment> stale() {
        Set<String> inUse = uses.stream().map(Use::uid).collect(Collectors.toSet());
        return attachments.stream()
                .filter(attachment -> attachment.getSpec().mountpointS3PodAttachments().values().stream()
                        .flatMap(List::stream)
                        .noneMatch(workload -> inUse.contains(workload.workloadPodUID())))
                .toList();
    }
}
