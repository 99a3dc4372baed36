package s3csi.reconciler.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all Mountpoint Pods of a cluster have in common.
 *
 * @param driverVersion of this release; Mountpoint Pods of another take no new workloads
 * @param engineVersion for people who look at the labels
 * @param command the program that serves
 * @param labels that an administrator wants on them
 * @param authorities ConfigMap with the certificates of private authorities
 * @param resources where the volume does not say
 * @param isOpenShift whether the cluster chooses users and groups itself
 */
public record MountpointPodSettings(
        String namespace,
        String driverVersion,
        String engineVersion,
        String image,
        String imagePullPolicy,
        List<String> imagePullSecrets,
        String command,
        String priorityClass,
        Map<String, String> labels,
        Optional<String> authorities,
        PodResources resources,
        boolean isOpenShift) {
    public MountpointPodSettings {
        imagePullSecrets = List.copyOf(imagePullSecrets);
        labels = Map.copyOf(labels);
    }

    /** The same for a cluster that chooses users and groups itself, or does not. */
    public MountpointPodSettings onOpenShift(boolean isSo) {
        return new MountpointPodSettings(
                namespace,
                driverVersion,
                engineVersion,
                image,
                imagePullPolicy,
                imagePullSecrets,
                command,
                priorityClass,
                labels,
                authorities,
                resources,
                isSo);
    }
}
