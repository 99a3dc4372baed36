package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.Indexer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import s3csi.control.ReducedStore;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachment;
import s3csi.reconciler.loop.Subject.VolumeOnNode;
import s3csi.reconciler.model.ClusterView;
import s3csi.reconciler.model.KnownAttachment;
import s3csi.reconciler.model.S3Volume;
import s3csi.volume.mount.Names;

/** What the cluster looked like a moment ago: reduced copies of pods, claims, volumes and attachments, kept up to date by watches. */
final class ClusterCache implements AutoCloseable {
    /** Of a list at the start: a page of this many objects is in memory at a time. */
    private static final long PAGE = 500;

    private static final String BY_CLAIM = "claim";
    private static final String BY_UID = "uid";
    private static final String BY_VOLUME = "volume";
    private static final String BY_POD = "pod";
    private static final String BY_WORKLOAD = "workload";

    private final String mountpointNamespace;
    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<PersistentVolumeClaim> claims;
    private final SharedIndexInformer<PersistentVolume> volumes;
    private final SharedIndexInformer<PodAttachment> attachments;

    /** Nothing is watched before {@link #start}. */
    ClusterCache(KubernetesClient client, String mountpointNamespace) {
        this.mountpointNamespace = mountpointNamespace;
        pods = informer(
                client.pods().inAnyNamespace(),
                pod -> Reduced.pod(pod, mountpointNamespace),
                Map.of(
                        BY_UID, pod -> List.of(pod.getMetadata().getUid()),
                        BY_CLAIM, pod -> isMountpointPod(pod) ? List.of() : Workloads.claimsOf(pod),
                        BY_VOLUME,
                                pod -> isMountpointPod(pod)
                                        ? List.of(MountpointPod.of(pod).persistentVolume())
                                        : List.of(),
                        BY_WORKLOAD,
                                pod -> isMountpointPod(pod)
                                        ? List.of(MountpointPod.of(pod).workloadUid())
                                        : List.of()));
        claims = informer(
                client.persistentVolumeClaims().inAnyNamespace(),
                Reduced::claim,
                Map.of(BY_VOLUME, claim -> List.of(Workloads.volumeOf(claim))));
        volumes = informer(client.persistentVolumes(), Reduced::volume, Map.of());
        attachments = informer(
                client.resources(PodAttachment.class),
                Reduced::attachment,
                Map.of(
                        BY_VOLUME,
                        attachment -> List.of(attachment.getSpec().persistentVolumeName()),
                        BY_POD,
                        attachment -> List.copyOf(attachment
                                .getSpec()
                                .mountpointS3PodAttachments()
                                .keySet()),
                        BY_WORKLOAD,
                        attachment -> workloads(attachment).distinct().toList()));
    }

    private static <T extends HasMetadata> SharedIndexInformer<T> informer(
            Informable<T> kind, UnaryOperator<T> reduction, Map<String, Function<T, List<String>>> indexes) {
        return kind.withLimit(PAGE)
                .runnableInformer(0)
                .itemStore(new ReducedStore<>(reduction))
                .removeNamespaceIndex()
                .addIndexers(indexes)
                // Whatever it is, it may pass; a controller that stopped watching would do nothing for ever.
                .exceptionHandler((_, _) -> true);
    }

    /** Returns when everything is known that was there at the start, and its events were handed over. */
    void start(ClusterEvents events) throws InterruptedException {
        events.listenTo(pods, claims, volumes, attachments);
        try {
            // Pods last: who is not there was not there when an attachment listed it, or has gone.
            for (SharedIndexInformer<?> informer : List.of(volumes, claims, attachments, pods)) {
                informer.start().toCompletableFuture().get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot watch the cluster: " + e.getCause(), e);
        }
    }

    /** Whether all watches stand at this moment. */
    boolean isWatching() {
        return Stream.of(pods, claims, volumes, attachments).allMatch(SharedIndexInformer::isWatching);
    }

    /** By its name, as in every release. Other pods may be in the namespace, too. */
    boolean isMountpointPod(Pod pod) {
        return mountpointNamespace.equals(pod.getMetadata().getNamespace())
                && pod.getMetadata().getName().startsWith(Names.SOURCE_PREFIX);
    }

    private static Stream<String> workloads(PodAttachment attachment) {
        return attachment.getSpec().mountpointS3PodAttachments().values().stream()
                .flatMap(List::stream)
                .map(listed -> listed.workloadPodUID());
    }

    Optional<Pod> podByUid(String uid) {
        return pods.getIndexer().byIndex(BY_UID, uid).stream().findFirst();
    }

    List<Pod> podsOfClaim(String claim) {
        return pods.getIndexer().byIndex(BY_CLAIM, claim);
    }

    Stream<Pod> workloadPods() {
        return pods.getStore().list().stream().filter(pod -> !isMountpointPod(pod));
    }

    Stream<Pod> mountpointPods() {
        return pods.getStore().list().stream().filter(this::isMountpointPod);
    }

    /** Those that were made for a workload, whether they serve it or not. */
    List<Pod> mountpointPodsMadeFor(String workloadUid) {
        return pods.getIndexer().byIndex(BY_WORKLOAD, workloadUid);
    }

    Optional<Pod> mountpointPod(String name) {
        return Optional.ofNullable(pods.getStore().getByKey(Cache.namespaceKeyFunc(mountpointNamespace, name)));
    }

    Optional<PersistentVolumeClaim> claim(String key) {
        return Optional.ofNullable(claims.getStore().getByKey(key));
    }

    Optional<PersistentVolume> volume(String name) {
        return Optional.ofNullable(volumes.getStore().getByKey(name));
    }

    Stream<PersistentVolume> volumes() {
        return volumes.getStore().list().stream();
    }

    Optional<PodAttachment> attachment(String name) {
        return Optional.ofNullable(attachments.getStore().getByKey(name));
    }

    Stream<PodAttachment> attachments() {
        return attachments.getStore().list().stream();
    }

    List<PodAttachment> attachmentsOfVolume(String volume) {
        return attachments.getIndexer().byIndex(BY_VOLUME, volume);
    }

    List<PodAttachment> attachmentsOfPod(String mountpointPod) {
        return attachments.getIndexer().byIndex(BY_POD, mountpointPod);
    }

    List<PodAttachment> attachmentsOfWorkload(String uid) {
        return attachments.getIndexer().byIndex(BY_WORKLOAD, uid);
    }

    /** The claim that a volume is bound to, if both agree. */
    Optional<PersistentVolumeClaim> claimOf(PersistentVolume volume) {
        ObjectReference bound = volume.getSpec().getClaimRef();
        return bound == null
                ? Optional.empty()
                : claim(Cache.namespaceKeyFunc(bound.getNamespace(), bound.getName()))
                        .filter(claim -> Workloads.areBound(claim, volume));
    }

    /** Claims that name a volume which another claim has. */
    List<PersistentVolumeClaim> claimsInVain(PersistentVolume volume) {
        return claims.getIndexer().byIndex(BY_VOLUME, volume.getMetadata().getName()).stream()
                .filter(claim -> Workloads.isOfAnother(volume, claim))
                .toList();
    }

    /** The pods that use a volume on a node; none while its claim is not bound. */
    List<Pod> workloadsOf(VolumeOnNode place) {
        return volume(place.volume())
                .filter(volume -> S3Volume.of(volume).isPresent())
                .flatMap(this::claimOf)
                .map(claim -> podsOfClaim(Cache.metaNamespaceKeyFunc(claim)).stream()
                        .filter(pod -> Workloads.nodeOf(pod).equals(place.node()) && Workloads.mayUse(pod, claim))
                        .toList())
                .orElse(List.of());
    }

    /** All attachments and Mountpoint Pods of a volume. */
    ClusterView view(String volume) {
        Map<String, MountpointPod> known = new HashMap<>();
        Indexer<Pod> indexed = pods.getIndexer();
        indexed.byIndex(BY_VOLUME, volume)
                .forEach(pod -> known.put(pod.getMetadata().getName(), MountpointPod.of(pod)));
        List<PodAttachment> ofVolume = attachmentsOfVolume(volume);
        ofVolume.stream()
                .flatMap(attachment -> attachment.getSpec().mountpointS3PodAttachments().keySet().stream())
                .forEach(name -> mountpointPod(name).ifPresent(pod -> known.put(name, MountpointPod.of(pod))));
        return new ClusterView(ofVolume.stream().map(KnownAttachment::of).toList(), known);
    }

    @Override
    public void close() {
        Stream.of(pods, claims, volumes, attachments).forEach(SharedIndexInformer::stop);
    }
}
