package s3csi.reconciler.model;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.Labels;
import s3csi.volume.mount.PodPaths;

/**
 * What a Mountpoint Pod looks like. It may do nothing: no user but its own, no capability, no token. The node service mounts and hands the
 * device over, the options and proxies of the volume with it, so they are not here.
 */
public record MountpointPodTemplate(MountpointPodSettings settings) {
    private static final String COMM = "comm";
    private static final String AUTHORITIES = "custom-ca-cert";
    private static final String SERVICE_ACCOUNT_ATTRIBUTE = "mountpointPodServiceAccountName";

    /** Lets the autoscaler take a node away although the pod has no controller that would start it elsewhere. */
    private static final String AUTOSCALER = "cluster-autoscaler.kubernetes.io/daemonset-pod";

    /** User and group of the engine. The node service gives the group what the engine shall read. */
    private static final long ENGINE = 1000;

    /** A drain ends workloads and Mountpoint Pods at once; the engine serves until the last workload has stopped. */
    private static final long GRACE_SECONDS = 600;

    /** Keys, a socket, and what went wrong; in memory, as keys are in it. */
    private static final Quantity COMM_SIZE = new Quantity("10Mi");

    /**
     * The Mountpoint Pod that is made for a workload and serves its volume.
     *
     * @throws s3csi.volume.VolumeFailure where the attributes of the volume make no sense
     */
    public Pod of(String name, WorkloadPod workload, S3Volume volume) {
        Optional<CacheVolume> cache = CacheVolume.of(volume);
        return new PodBuilder()
                .withMetadata(metadata(name, workload, volume))
                .withNewSpec()
                .withRestartPolicy("OnFailure")
                .withTerminationGracePeriodSeconds(GRACE_SECONDS)
                .withPriorityClassName(settings.priorityClass())
                .withAffinity(onNode(workload.node()))
                .addToNodeSelector("kubernetes.io/os", "linux")
                // It goes where its workload is, whatever keeps other pods away.
                .addNewToleration()
                .withOperator("Exists")
                .endToleration()
                .withServiceAccountName(serviceAccount(volume))
                .withAutomountServiceAccountToken(false)
                .withImagePullSecrets(settings.imagePullSecrets().stream()
                        .map(LocalObjectReference::new)
                        .toList())
                .withSecurityContext(podSecurity())
                .withContainers(container(volume, cache))
                .withVolumes(volumes(cache))
                .endSpec()
                .build();
    }

    private ObjectMeta metadata(String name, WorkloadPod workload, S3Volume volume) {
        Map<String, String> labels = new TreeMap<>(settings.labels());
        labels.put(Labels.MOUNTPOINT_VERSION, settings.engineVersion());
        labels.put(Labels.DRIVER_VERSION, settings.driverVersion());
        labels.put(Labels.POD_UID, workload.uid());
        if (Labels.canHold(volume.name())) {
            labels.put(Labels.VOLUME_NAME, volume.name());
        }
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(settings.namespace())
                .withLabels(labels)
                .addToAnnotations(AUTOSCALER, Annotations.YES)
                .addToAnnotations(
                        Annotations.NAMES_PUBLISH_SECRET,
                        volume.namesPublishSecret() ? Annotations.YES : Annotations.NO)
                .addToAnnotations(Annotations.VOLUME_ID, volume.id())
                .addToAnnotations(Annotations.VOLUME_NAME, volume.name())
                .addToAnnotations(Annotations.VOLUME_UID, volume.uid())
                .build();
    }

    private static Affinity onNode(String node) {
        return new AffinityBuilder()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues(node)
                .endMatchField()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build();
    }

    private static @Nullable String serviceAccount(S3Volume volume) {
        String name = volume.attributes().getOrDefault(SERVICE_ACCOUNT_ATTRIBUTE, "");
        return name.isEmpty() ? null : name;
    }

    private PodSecurityContext podSecurity() {
        return new PodSecurityContextBuilder()
                .withFsGroup(settings.isOpenShift() ? null : ENGINE)
                .build();
    }

    private Container container(S3Volume volume, Optional<CacheVolume> cache) {
        PodResources resources = settings.resources().under(volume.attributes());
        return new ContainerBuilder()
                .withName("mountpoint")
                .withImage(settings.image())
                .withImagePullPolicy(settings.imagePullPolicy())
                .withCommand(settings.command())
                .withSecurityContext(containerSecurity())
                .withNewResources()
                .withRequests(resources.requests())
                .withLimits(resources.limits())
                .endResources()
                .withVolumeMounts(mounts(cache))
                .build();
    }

    private SecurityContext containerSecurity() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .withRunAsNonRoot(true)
                .withRunAsUser(settings.isOpenShift() ? null : ENGINE)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build();
    }

    private List<VolumeMount> mounts(Optional<CacheVolume> cache) {
        List<VolumeMount> mounts = new ArrayList<>();
        mounts.add(mount(COMM, PodPaths.COMM).build());
        // As a directory, not as a file, so that changes of the ConfigMap arrive.
        settings.authorities()
                .ifPresent(_ -> mounts.add(mount(AUTHORITIES, PodPaths.AUTHORITIES)
                        .withReadOnly(true)
                        .build()));
        cache.ifPresent(_ -> mounts.add(mount(CacheVolume.NAME, PodPaths.CACHE).build()));
        return mounts;
    }

    private static VolumeMountBuilder mount(String volume, String path) {
        return new VolumeMountBuilder().withName(volume).withMountPath(path);
    }

    private List<Volume> volumes(Optional<CacheVolume> cache) {
        List<Volume> volumes = new ArrayList<>();
        volumes.add(new VolumeBuilder()
                .withName(COMM)
                .withNewEmptyDir()
                .withMedium("Memory")
                .withSizeLimit(COMM_SIZE)
                .endEmptyDir()
                .build());
        settings.authorities()
                .ifPresent(configMap -> volumes.add(new VolumeBuilder()
                        .withName(AUTHORITIES)
                        .withNewConfigMap()
                        .withName(configMap)
                        .addNewItem()
                        .withKey("ca-bundle.crt")
                        .withPath("ca-bundle.crt")
                        .endItem()
                        .endConfigMap()
                        .build()));
        cache.ifPresent(volume -> volumes.add(volume.asPodVolume()));
        return volumes;
    }
}
