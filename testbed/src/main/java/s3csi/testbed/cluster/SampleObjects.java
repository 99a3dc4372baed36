package s3csi.testbed.cluster;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import s3csi.volume.Driver;

/** Objects as clusters have them, with much of what a controller does not look at. */
public final class SampleObjects {
    private SampleObjects() {}

    /** A volume of this driver for the claim of the same name. */
    public static PersistentVolume volume(String namespace, String name, Map<String, String> attributes) {
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteMany")
                .addToCapacity("storage", new Quantity("1Gi"))
                .withMountOptions("allow-delete")
                .withNewClaimRef()
                .withNamespace(namespace)
                .withName(name)
                .endClaimRef()
                .withNewCsi()
                .withDriver(Driver.NAME)
                .withVolumeHandle(name)
                .withVolumeAttributes(attributes)
                .endCsi()
                .endSpec()
                .build();
    }

    /** A claim that is bound to the volume of the same name. */
    public static PersistentVolumeClaim claim(String namespace, String name) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteMany")
                .withStorageClassName("")
                .withVolumeName(name)
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources()
                .endSpec()
                .withNewStatus()
                .withPhase("Bound")
                .endStatus()
                .build();
    }

    /** A pod that uses a claim, or none if that is empty. */
    public static Pod pod(String namespace, String name, String node, String claim) {
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(Map.of("app", "sample", "pod-template-hash", "5d4f8c7b9"))
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("ReplicaSet")
                .withName("sample")
                .withUid("sample")
                .endOwnerReference()
                .withManagedFields(new ManagedFieldsEntryBuilder()
                        .withManager("kubelet")
                        .withOperation("Update")
                        .withTime("2026-01-01T00:00:00Z")
                        .build())
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("main")
                .withImage("registry.example/sample:1")
                .addNewEnv()
                .withName("NAME")
                .withValue("value")
                .endEnv()
                .addNewPort()
                .withContainerPort(8080)
                .endPort()
                .withNewResources()
                .addToRequests("memory", new Quantity("64Mi"))
                .endResources()
                .endContainer()
                .addNewToleration()
                .withOperator("Exists")
                .endToleration()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("True")
                .endCondition()
                .addNewContainerStatus()
                .withName("main")
                .withReady(true)
                .withRestartCount(0)
                .endContainerStatus()
                .endStatus();
        return claim.isEmpty()
                ? pod.build()
                : pod.editSpec()
                        .editFirstContainer()
                        .addNewVolumeMount()
                        .withName("data")
                        .withMountPath("/data")
                        .endVolumeMount()
                        .endContainer()
                        .addNewVolume()
                        .withName("data")
                        .withNewPersistentVolumeClaim()
                        .withClaimName(claim)
                        .endPersistentVolumeClaim()
                        .endVolume()
                        .endSpec()
                        .build();
    }
}
