package s3csi.reconciler.model;

import java.util.List;
import java.util.stream.Stream;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.MountpointPod.PublishSecret;

/**
 * What Mountpoint Pods that serve must say about their volume. Those of releases 2.x do not say it, a volume may have been made anew under its
 * name, and annotations can be edited by anybody.
 */
public final class Upkeep {
    private Upkeep() {}

    /** For the Mountpoint Pods that attachments name. */
    public static List<Step> of(S3Volume volume, Stream<KnownAttachment> attachments, ClusterView view) {
        PublishSecret truth = volume.namesPublishSecret() ? PublishSecret.NAMED : PublishSecret.NOT_NAMED;
        return attachments
                .flatMap(attachment -> attachment.spec().mountpointS3PodAttachments().keySet().stream())
                .distinct()
                .flatMap(name -> view.pod(name).stream())
                .filter(pod -> !pod.phase().hasEnded() && pod.publishSecret() != truth)
                .map(MountpointPod::name)
                .<Step>map(name -> new Step.NotePublishSecret(name, volume.namesPublishSecret()))
                .toList();
    }
}
