package s3csi.reconciler.loop;

import s3csi.kubernetes.PodAttachmentSpec;

/** What is brought into order by itself, and by one thread at a time. */
sealed interface Subject {
    /**
     * A volume on a node: its workloads there, the attachments that list them, and the Mountpoint Pods that those name. Workloads share no
     * Mountpoint Pod across volumes or nodes, so two of these never touch the same object.
     */
    record VolumeOnNode(String node, String volume) implements Subject {
        static VolumeOnNode of(PodAttachmentSpec spec) {
            return new VolumeOnNode(spec.nodeName(), spec.persistentVolumeName());
        }
    }

    /** A Mountpoint Pod that no attachment may name. */
    record SinglePod(String name) implements Subject {}
}
