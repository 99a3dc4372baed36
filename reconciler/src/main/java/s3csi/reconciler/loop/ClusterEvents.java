package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.function.Consumer;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachment;
import s3csi.reconciler.loop.Subject.SinglePod;
import s3csi.reconciler.loop.Subject.VolumeOnNode;
import s3csi.reconciler.model.S3Volume;

/** What has to be looked at when something in the cluster changes. Pods with volumes of other drivers lead to nothing. */
final class ClusterEvents {
    private final ClusterCache cache;
    private final SeenWrites writes;
    private final DepartedWorkloads departed;
    private final Consumer<Subject> changed;

    ClusterEvents(ClusterCache cache, SeenWrites writes, DepartedWorkloads departed, Consumer<Subject> changed) {
        this.cache = cache;
        this.writes = writes;
        this.departed = departed;
        this.changed = changed;
    }

    void listenTo(
            SharedIndexInformer<Pod> pods,
            SharedIndexInformer<PersistentVolumeClaim> claims,
            SharedIndexInformer<PersistentVolume> volumes,
            SharedIndexInformer<PodAttachment> attachments) {
        pods.addEventHandler(ofPods());
        claims.addEventHandler(new OnEach<>(this::claimChanged));
        volumes.addEventHandler(new OnEach<>(this::volumeChanged));
        attachments.addEventHandler(new OnEach<>(this::attachmentChanged));
    }

    ResourceEventHandler<Pod> ofPods() {
        return new OnEach<>(this::podChanged);
    }

    /** Everything that is known. */
    void all() {
        cache.attachments().forEach(this::attachmentChanged);
        cache.mountpointPods().forEach(this::podChanged);
        cache.workloadPods().forEach(this::podChanged);
    }

    private void podChanged(Pod pod) {
        if (cache.isMountpointPod(pod)) {
            mountpointPodChanged(MountpointPod.of(pod));
            return;
        }
        String node = Workloads.nodeOf(pod);
        if (!node.isEmpty()) {
            for (String claim : Workloads.claimsOf(pod)) {
                cache.claim(claim).ifPresent(found -> volumeInUse(node, Workloads.volumeOf(found)));
            }
        }
        String uid = pod.getMetadata().getUid();
        cache.mountpointPodsMadeFor(uid)
                .forEach(made -> changed.accept(new SinglePod(made.getMetadata().getName())));
        // Its claims may be gone before it.
        cache.attachmentsOfWorkload(uid).forEach(attachment -> changed.accept(VolumeOnNode.of(attachment.getSpec())));
    }

    private void mountpointPodChanged(MountpointPod pod) {
        changed.accept(new SinglePod(pod.name()));
        cache.attachmentsOfPod(pod.name()).forEach(attachment -> changed.accept(VolumeOnNode.of(attachment.getSpec())));
        cache.podByUid(pod.workloadUid())
                .ifPresent(workload -> volumeInUse(Workloads.nodeOf(workload), pod.persistentVolume()));
    }

    private void claimChanged(PersistentVolumeClaim claim) {
        for (Pod pod : cache.podsOfClaim(Cache.metaNamespaceKeyFunc(claim))) {
            volumeInUse(Workloads.nodeOf(pod), Workloads.volumeOf(claim));
        }
    }

    private void volumeChanged(PersistentVolume volume) {
        cache.claimOf(volume).ifPresent(this::claimChanged);
    }

    private void volumeInUse(String node, String volume) {
        if (!node.isEmpty() && cache.volume(volume).flatMap(S3Volume::of).isPresent()) {
            changed.accept(new VolumeOnNode(node, volume));
        }
    }

    private void attachmentChanged(PodAttachment attachment) {
        changed.accept(VolumeOnNode.of(attachment.getSpec()));
        attachment.getSpec().mountpointS3PodAttachments().keySet().forEach(pod -> changed.accept(new SinglePod(pod)));
    }

    private final class OnEach<T extends HasMetadata> implements ResourceEventHandler<T> {
        private final Consumer<T> handler;

        OnEach(Consumer<T> handler) {
            this.handler = handler;
        }

        @Override
        public void onAdd(T object) {
            handler.accept(object);
        }

        /** What it was before also leads to what has to be looked at, such as a Mountpoint Pod that is named no longer. */
        @Override
        public void onUpdate(T before, T now) {
            handler.accept(before);
            handler.accept(now);
        }

        @Override
        public void onDelete(T object, boolean isUnknown) {
            writes.deleted(object.getMetadata().getUid());
            // A list without it may come from a server that is behind.
            if (!isUnknown
                    && object instanceof Pod pod
                    && !Workloads.claimsOf(pod).isEmpty()) {
                departed.add(pod.getMetadata().getUid());
            }
            handler.accept(object);
        }
    }
}
