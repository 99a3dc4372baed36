package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import s3csi.driver.node.pod.NodeAttachment.Served;
import s3csi.volume.json.JsonObject;

class NodeAttachmentTest {
    private static final NodeAttachment ATTACHMENT = NodeAttachment.of(JsonObject.parse("""
            {"metadata":{"name":"s3pa-x"},"spec":{"nodeName":"n","persistentVolumeName":"pv","volumeID":"v/1",
             "mountOptions":"allow-delete","workloadFSGroup":"1000","mountpointS3PodAttachments":{
              "mp-b":[{"workloadPodUID":"u-2","attachmentTime":"t"}],
              "mp-a":[{"workloadPodUID":"u-1","attachmentTime":"t"},{"workloadPodUID":"u-2","attachmentTime":"t"}],
              "mp-c":[]}}}"""));

    @Test
    void allThatANodeNeedsIsRead() {
        assertThat(ATTACHMENT)
                .isEqualTo(new NodeAttachment(
                        "pv",
                        "v/1",
                        "1000",
                        List.of(
                                new Served("mp-a", List.of("u-1", "u-2")),
                                new Served("mp-b", List.of("u-2")),
                                new Served("mp-c", List.of()))));
    }

    @Test
    void theMountpointPodsOfAWorkloadAreThoseThatListIt() {
        assertThat(ATTACHMENT.podsOf("u-1")).containsExactly("mp-a");
        assertThat(ATTACHMENT.podsOf("u-2")).containsExactly("mp-a", "mp-b");
        assertThat(ATTACHMENT.podsOf("u-3")).isEmpty();
        assertThat(ATTACHMENT.lists("mp-c")).isTrue();
        assertThat(ATTACHMENT.lists("mp-d")).isFalse();
    }

    @Test
    void whatIsMissingIsEmpty() {
        assertThat(NodeAttachment.of(JsonObject.parse("{}"))).isEqualTo(new NodeAttachment("", "", "", List.of()));
        assertThat(NodeAttachment.of(JsonObject.parse("{\"spec\":{\"mountpointS3PodAttachments\":{\"mp-a\":null}}}"))
                        .pods())
                .containsExactly(new Served("mp-a", List.of()));
    }
}
