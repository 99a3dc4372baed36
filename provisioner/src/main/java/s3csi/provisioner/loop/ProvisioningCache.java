package s3csi.provisioner.loop;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import s3csi.control.ReducedStore;
import s3csi.provisioner.loop.ProvisioningTask.OfClaim;
import s3csi.provisioner.loop.ProvisioningTask.OfVolume;
import s3csi.provisioner.model.ClaimDecision;
import s3csi.provisioner.model.Marks;
import s3csi.provisioner.model.Reclaim;
import s3csi.volume.Driver;

/** Which claims and volumes concern the driver, and the StorageClasses, kept up to date by watches. */
final class ProvisioningCache implements AutoCloseable {
    /** Of a list at the start: a page of this many objects is in memory at a time. */
    private static final long PAGE = 500;

    private final SharedIndexInformer<PersistentVolumeClaim> claims;
    private final SharedIndexInformer<PersistentVolume> volumes;
    private final SharedIndexInformer<StorageClass> classes;

    /** Nothing is watched before {@link #start}. */
    ProvisioningCache(KubernetesClient client) {
        claims = informer(client.persistentVolumeClaims().inAnyNamespace(), ProvisioningCache::reduced);
        volumes = informer(client.persistentVolumes(), ProvisioningCache::reduced);
        classes = informer(client.storage().v1().storageClasses(), UnaryOperator.identity());
    }

    private static <T extends HasMetadata> SharedIndexInformer<T> informer(
            Informable<T> kind, UnaryOperator<T> reduction) {
        return kind.withLimit(PAGE)
                .runnableInformer(0)
                .itemStore(new ReducedStore<>(reduction))
                .removeNamespaceIndex()
                // Whatever it is, it may pass; one that stopped watching would do nothing for ever.
                .exceptionHandler((_, _) -> true);
    }

    /** Returns when everything is known that was there at the start. */
    void start(Consumer<ProvisioningTask> changed) throws InterruptedException {
        claims.addEventHandler(new OnEach<>(claim -> {
            if (ClaimDecision.isCandidate(claim)) {
                changed.accept(OfClaim.of(claim));
            }
        }));
        volumes.addEventHandler(new OnEach<>(volume -> {
            if (Reclaim.isOurs(volume)) {
                changed.accept(new OfVolume(volume.getMetadata().getName()));
            }
        }));
        classes.addEventHandler(new OnEach<>(made -> waiting()
                .filter(claim ->
                        ClaimDecision.classOf(claim).equals(made.getMetadata().getName()))
                .forEach(claim -> changed.accept(OfClaim.of(claim)))));
        try {
            for (SharedIndexInformer<?> informer : List.of(classes, volumes, claims)) {
                informer.start().toCompletableFuture().get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot watch claims and volumes: " + e.getCause(), e);
        }
    }

    /** All that may have to be done. */
    Stream<ProvisioningTask> everything() {
        return Stream.concat(
                waiting().map(OfClaim::of),
                volumes.getStore().list().stream()
                        .filter(Reclaim::isOurs)
                        .map(volume -> new OfVolume(volume.getMetadata().getName())));
    }

    private Stream<PersistentVolumeClaim> waiting() {
        return claims.getStore().list().stream().filter(ClaimDecision::isCandidate);
    }

    Optional<StorageClass> storageClass(String name) {
        return Optional.ofNullable(classes.getStore().getByKey(name));
    }

    boolean isWatching() {
        return Stream.of(claims, volumes, classes).allMatch(SharedIndexInformer::isWatching);
    }

    private static PersistentVolumeClaim reduced(PersistentVolumeClaim claim) {
        PersistentVolumeClaim kept = new PersistentVolumeClaim();
        kept.setMetadata(identityOf(claim));
        PersistentVolumeClaimSpec spec = new PersistentVolumeClaimSpec();
        if (ClaimDecision.isCandidate(claim)) {
            kept.getMetadata().setAnnotations(Map.of(Marks.PROVISIONER, Driver.NAME));
            spec.setStorageClassName(ClaimDecision.classOf(claim));
        }
        kept.setSpec(spec);
        return kept;
    }

    private static PersistentVolume reduced(PersistentVolume volume) {
        PersistentVolume kept = new PersistentVolume();
        kept.setMetadata(identityOf(volume));
        if (Reclaim.isOurs(volume)) {
            kept.getMetadata().setAnnotations(Map.of(Marks.PROVISIONED_BY, Driver.NAME));
        }
        kept.setSpec(new PersistentVolumeSpec());
        return kept;
    }

    private static ObjectMeta identityOf(HasMetadata object) {
        ObjectMeta kept = new ObjectMeta();
        kept.setName(object.getMetadata().getName());
        kept.setNamespace(object.getMetadata().getNamespace());
        kept.setUid(object.getMetadata().getUid());
        kept.setResourceVersion(object.getMetadata().getResourceVersion());
        return kept;
    }

    /** Whether it came, changed or went, it is looked at. */
    private record OnEach<T>(Consumer<T> handler) implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            handler.accept(object);
        }

        @Override
        public void onUpdate(T before, T now) {
            handler.accept(now);
        }

        @Override
        public void onDelete(T object, boolean isUnknown) {
            handler.accept(object);
        }
    }

    @Override
    public void close() {
        Stream.of(claims, volumes, classes).forEach(SharedIndexInformer::stop);
    }
}
