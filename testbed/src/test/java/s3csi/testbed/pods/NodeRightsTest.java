package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.CSINodeBuilder;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.testbed.cluster.Rights;
import s3csi.testbed.csi.Refusals;

/** What a node may do is what it does, and nothing else. */
class NodeRightsTest extends PodsStage {
    private final Rights rights = Rights.grant(plane, "node-rights.yaml");

    @Override
    Path serviceAccount() {
        return plane.serviceAccountOfStranger();
    }

    @Test
    void allOfItsWorkIsDoneWithTheseRightsAndEachIsUsed() throws IOException {
        String name = scenario.node("n");
        plane.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .addNewTaint("NoExecute", "s3.csi.scality.com/agent-not-ready", null, null)
                        .endSpec()
                        .build())
                .create();
        plane.client()
                .resource(new CSINodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .addNewDriver()
                        .withName("s3.csi.scality.com")
                        .withNodeID(name)
                        .endDriver()
                        .endSpec()
                        .build())
                .create();
        volume("v");
        Pod workload = workload("app", "v");
        Path target = node.publish(node.request(workload, name("v"), name("v"))
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(MountVolume.newBuilder().addMountFlags("profile other"))
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER))));
        assertThat(greeting(target)).isEqualTo(name("v"));
        await("the Event is there", () -> !scenario.eventsAbout(workload).isEmpty());
        kubelet.schedules(false);
        volume("w");
        Pod waits = workload("waits", "w");
        assertThat(Refusals.refused(Code.UNAVAILABLE, () -> publish(waits, "w")))
                .contains("it is not on this node yet");
        kubelet.schedules(true);
        scenario.becomes(waits, "Succeeded");
        finish(workload, "v");
        awaitNothingIsLeft();
        // The API server writes a watch down when it ends.
        node.driver().process().terminate();
        await(
                "the watches are written down",
                () -> rights.usedBy("scality-s3-csi-driver").containsAll(rights.granted()));
        assertThat(rights.usedBy("scality-s3-csi-driver")).isEqualTo(rights.granted());
        assertThat(node.driver().log()).doesNotContainIgnoringCase("forbidden");
    }
}
