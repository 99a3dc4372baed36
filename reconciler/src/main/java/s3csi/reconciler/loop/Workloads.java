package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** From a pod to its claims, from a claim to its volume, and whether they belong together. */
final class Workloads {
    private Workloads() {}

    /** The claims of a pod, as {@code namespace/name}. A claim that is made for one volume of one pod is named after both. */
    static List<String> claimsOf(Pod pod) {
        List<String> claims = new ArrayList<>();
        for (Volume volume : pod.getSpec().getVolumes()) {
            if (volume.getPersistentVolumeClaim() != null) {
                claims.add(key(pod, volume.getPersistentVolumeClaim().getClaimName()));
            } else if (volume.getEphemeral() != null) {
                claims.add(key(pod, pod.getMetadata().getName() + "-" + volume.getName()));
            }
        }
        return claims;
    }

    private static String key(Pod pod, String claim) {
        return Cache.namespaceKeyFunc(pod.getMetadata().getNamespace(), claim);
    }

    static String nodeOf(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    }

    /** The volume that a claim names, be it ready or not; empty if there is none yet. */
    static String volumeOf(PersistentVolumeClaim claim) {
        return Objects.requireNonNullElse(claim.getSpec().getVolumeName(), "");
    }

    /** Whether claim and volume name each other. */
    static boolean areBound(PersistentVolumeClaim claim, PersistentVolume volume) {
        return claim.getStatus() != null
                && "Bound".equals(claim.getStatus().getPhase())
                && volumeOf(claim).equals(volume.getMetadata().getName())
                && volume.getSpec().getClaimRef() != null
                && !isOfAnother(volume, claim);
    }

    /** Whether the volume is for another claim. One that was made anew under its old name has another UID. */
    static boolean isOfAnother(PersistentVolume volume, PersistentVolumeClaim claim) {
        ObjectReference bound = volume.getSpec().getClaimRef();
        return bound != null
                && !(claim.getMetadata().getName().equals(bound.getName())
                        && claim.getMetadata().getNamespace().equals(bound.getNamespace())
                        && (bound.getUid() == null
                                || bound.getUid().equals(claim.getMetadata().getUid())));
    }

    /** Whether a pod may use a claim that it names: one made for a volume of a pod belongs to that pod alone. */
    static boolean mayUse(Pod pod, PersistentVolumeClaim claim) {
        boolean byName = pod.getSpec().getVolumes().stream()
                .anyMatch(volume -> volume.getPersistentVolumeClaim() != null
                        && volume.getPersistentVolumeClaim()
                                .getClaimName()
                                .equals(claim.getMetadata().getName()));
        return byName
                || claim.getMetadata().getOwnerReferences().stream()
                        .map(OwnerReference::getUid)
                        .anyMatch(pod.getMetadata().getUid()::equals);
    }
}
