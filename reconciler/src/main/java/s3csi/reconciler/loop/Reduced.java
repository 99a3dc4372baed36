package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.CSIPersistentVolumeSource;
import io.fabric8.kubernetes.api.model.EphemeralVolumeSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import s3csi.kubernetes.PodAttachment;
import s3csi.volume.Driver;

/** Objects with what the reconciler looks at and nothing else: a cluster may have ten thousand pods, and most of them are not about us. */
final class Reduced {
    /** Of all pods that claim no volume. */
    private static final PodSpec NO_CLAIMS = new PodSpec();

    private Reduced() {}

    /** A workload: what volumes it claims. Labels and annotations are kept of Mountpoint Pods only. */
    static Pod pod(Pod pod, String mountpointNamespace) {
        Pod kept = new Pod();
        kept.setMetadata(metadata(pod));
        if (mountpointNamespace.equals(pod.getMetadata().getNamespace())) {
            kept.getMetadata().setLabels(pod.getMetadata().getLabels());
            kept.getMetadata().setAnnotations(pod.getMetadata().getAnnotations());
        } else if (pod.getSpec() == null || Workloads.claimsOf(pod).isEmpty()) {
            kept.setSpec(NO_CLAIMS);
            return kept;
        }
        PodSpec spec = new PodSpec();
        if (pod.getSpec() != null) {
            spec.setNodeName(pod.getSpec().getNodeName());
            spec.setVolumes(volumes(pod.getSpec().getVolumes()));
            if (!spec.getVolumes().isEmpty() && pod.getSpec().getSecurityContext() != null) {
                PodSecurityContext security = new PodSecurityContext();
                security.setFsGroup(pod.getSpec().getSecurityContext().getFsGroup());
                spec.setSecurityContext(security);
            }
        }
        kept.setSpec(spec);
        if (pod.getStatus() != null) {
            PodStatus status = new PodStatus();
            status.setPhase(pod.getStatus().getPhase());
            kept.setStatus(status);
        }
        return kept;
    }

    private static List<Volume> volumes(List<Volume> all) {
        return all.stream()
                .filter(volume -> volume.getPersistentVolumeClaim() != null || volume.getEphemeral() != null)
                .map(volume -> {
                    Volume kept = new Volume();
                    kept.setName(volume.getName());
                    kept.setPersistentVolumeClaim(volume.getPersistentVolumeClaim());
                    kept.setEphemeral(volume.getEphemeral() == null ? null : new EphemeralVolumeSource());
                    return kept;
                })
                .toList();
    }

    static PersistentVolumeClaim claim(PersistentVolumeClaim claim) {
        PersistentVolumeClaim kept = new PersistentVolumeClaim();
        kept.setMetadata(metadata(claim));
        kept.getMetadata().setOwnerReferences(claim.getMetadata().getOwnerReferences());
        PersistentVolumeClaimSpec spec = new PersistentVolumeClaimSpec();
        spec.setVolumeName(claim.getSpec().getVolumeName());
        kept.setSpec(spec);
        if (claim.getStatus() != null) {
            PersistentVolumeClaimStatus status = new PersistentVolumeClaimStatus();
            status.setPhase(claim.getStatus().getPhase());
            kept.setStatus(status);
        }
        return kept;
    }

    /** Of the volume of another driver only that it is there. */
    static PersistentVolume volume(PersistentVolume volume) {
        PersistentVolume kept = new PersistentVolume();
        kept.setMetadata(metadata(volume));
        PersistentVolumeSpec spec = new PersistentVolumeSpec();
        CSIPersistentVolumeSource csi = volume.getSpec().getCsi();
        if (csi != null && Driver.NAME.equals(csi.getDriver())) {
            spec.setCsi(csi);
            spec.setMountOptions(volume.getSpec().getMountOptions());
            spec.setClaimRef(volume.getSpec().getClaimRef());
        }
        kept.setSpec(spec);
        return kept;
    }

    static PodAttachment attachment(PodAttachment attachment) {
        attachment.getMetadata().setManagedFields(List.of());
        return attachment;
    }

    private static ObjectMeta metadata(HasMetadata object) {
        ObjectMeta all = object.getMetadata();
        ObjectMeta kept = new ObjectMeta();
        kept.setName(all.getName());
        kept.setNamespace(all.getNamespace());
        kept.setUid(all.getUid());
        kept.setResourceVersion(all.getResourceVersion());
        kept.setCreationTimestamp(all.getCreationTimestamp());
        kept.setDeletionTimestamp(all.getDeletionTimestamp());
        return kept;
    }
}
