package s3csi.reconciler.release;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachment;
import s3csi.reconciler.release.MountsInUse.Use;

/**
 * What comes before nodes and controllers are removed: they are needed to unmount.
 *
 * @param namespace of Mountpoint Pods
 * @param isForced whether workloads that run lose their mounts
 * @param patience with Mountpoint Pods that nobody uses and that still store what was written
 * @param tell where to say what is done
 */
public record Uninstallation(
        KubernetesClient client, String namespace, boolean isForced, Duration patience, Consumer<String> tell) {
    /** In a message; it must fit into what kubelet keeps of a log. */
    private static final int NAMED = 10;

    /**
     * Has everything unmounted that nobody uses.
     *
     * @throws Refused if workloads use volumes, or Mountpoint Pods do not end, and it is not forced
     */
    public void prepare() throws InterruptedException {
        List<Pod> idle = unusedOrForced().idle();
        unmount(idle);
        // Some time has passed, and the controller still takes new workloads.
        List<PodAttachment> stale = unusedOrForced().stale();
        stale.forEach(this::delete);
        tell.accept("nothing is in the way of uninstalling; Mountpoint Pods unmounted: " + idle.size()
                + ", attachments deleted: " + stale.size());
    }

    private MountsInUse unusedOrForced() {
        MountsInUse mounts = MountsInUse.in(client, namespace);
        if (!mounts.uses().isEmpty()) {
            if (!isForced) {
                throw new Refused(inUse(mounts.uses()));
            }
            tell.accept("forced: the mounts of these break:\n" + lines(mounts.uses()));
        }
        return mounts;
    }

    private void delete(PodAttachment seen) {
        try {
            client.resource(seen)
                    .lockResourceVersion(seen.getMetadata().getResourceVersion())
                    .delete();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            throw new Refused("the driver is not uninstalled, because the attachment "
                    + seen.getMetadata().getName() + " of volume "
                    + seen.getSpec().persistentVolumeName() + " on node "
                    + seen.getSpec().nodeName()
                    + " changed at this moment: a pod has begun or ended to use it. Uninstall again.");
        }
    }

    private static String inUse(List<Use> uses) {
        return "the driver is not uninstalled, because "
                + (uses.size() == 1
                        ? "a pod still uses a volume of it:\n"
                        : uses.size() + " pods still use its volumes:\n")
                + lines(uses)
                + "\nUninstall again when no pod uses them. To uninstall all the same, and break their mounts, upgrade the"
                + " release with hooks.forceUninstall=true first; after this refusal, run helm rollback before that.";
    }

    private static String lines(List<Use> uses) {
        String named = uses.stream()
                .limit(NAMED)
                .map(use -> "  pod %s (%s) on node %s: volume %s, Mountpoint Pod %s"
                        .formatted(use.workload(), use.uid(), use.node(), use.volume(), use.mountpointPod()))
                .collect(Collectors.joining("\n"));
        return uses.size() <= NAMED
                ? named
                : named + "\n  and " + (uses.size() - NAMED) + " more: kubectl get s3pa --output yaml";
    }

    /** The node service unmounts what is told to, and the engine ends when everything is stored. */
    private void unmount(List<Pod> idle) throws InterruptedException {
        idle.stream().filter(pod -> !MountpointPod.of(pod).needsUnmount()).forEach(this::requestUnmount);
        Set<String> uids = idle.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
        Patience waits = new Patience(patience);
        List<Pod> left = idle;
        while (!left.isEmpty()) {
            if (!waits.lasts()) {
                endlessly(left);
                return;
            }
            left = MountsInUse.mountpointPods(client, namespace).stream()
                    .filter(pod -> uids.contains(pod.getMetadata().getUid()))
                    .toList();
        }
    }

    private void endlessly(List<Pod> left) {
        String named = left.stream()
                .limit(NAMED)
                .map(MountpointPod::of)
                .map(pod -> "  pod %s/%s on node %s: volume %s"
                        .formatted(namespace, pod.name(), pod.node(), pod.persistentVolume()))
                .collect(Collectors.joining("\n"));
        if (isForced) {
            tell.accept("forced: these Mountpoint Pods are not waited for any longer:\n" + named);
            return;
        }
        throw new Refused("the driver is not uninstalled, because " + left.size()
                + " Mountpoint Pods that nobody uses have not unmounted within " + patience.toSeconds() + " s:\n"
                + named + "\nThey may still be storing what was written: their logs tell. Uninstall again then; if"
                + " their node is gone for good, delete them first.");
    }

    private void requestUnmount(Pod pod) {
        // The UID makes it a condition: another pod of the same name is left alone.
        String patch = "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{\"%s\":\"%s\"}}}"
                .formatted(pod.getMetadata().getUid(), Annotations.NEEDS_UNMOUNT, Annotations.YES);
        try {
            Pod _ = client.pods()
                    .inNamespace(namespace)
                    .withName(pod.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }
}
