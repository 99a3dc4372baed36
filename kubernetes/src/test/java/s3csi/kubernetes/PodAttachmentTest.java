package s3csi.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodAttachmentTest {
    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    /** As release 2.2 writes it and the API server gives it back. */
    private static final String OF_2_2 = """
            {
              "apiVersion": "s3.csi.scality.com/v2",
              "kind": "MountpointS3PodAttachment",
              "metadata": {
                "creationTimestamp": "2026-01-02T03:04:05Z",
                "generateName": "s3pa-",
                "generation": 3,
                "labels": {"s3.csi.scality.com/mounted-by-csi-driver-version": "2.1.1"},
                "name": "s3pa-x7k2p",
                "resourceVersion": "4711",
                "uid": "5f0c64a1-3a4e-4f1b-9d6c-0f5f3f1f9a10"
              },
              "spec": {
                "mountOptions": "allow-delete,region us-west-2",
                "mountpointS3PodAttachments": {
                  "mp-55f7d2331f3149f00d62d7af839d4cee895e1c68a2f0d96ffd359f79": [
                    {"attachmentTime": "2026-01-02T03:04:05Z", "workloadPodUID": "a4509011-bd2a-4f37-b1b0-05d715087852"},
                    {"attachmentTime": "2026-01-02T03:05:00Z", "workloadPodUID": "b1"}
                  ],
                  "mp-old": []
                },
                "nodeName": "node-1",
                "persistentVolumeName": "test-vol",
                "volumeID": "s3-csi-driver-volume",
                "workloadFSGroup": "1000"
              }
            }
            """;

    @Test
    void anObjectOfAnEarlierReleaseIsReadAndWrittenBackAsItWas() throws Exception {
        PodAttachment attachment = JSON.unmarshal(OF_2_2, PodAttachment.class);
        assertThat(attachment.getSpec())
                .isEqualTo(new PodAttachmentSpec(
                        new SharingKey(
                                "node-1", "test-vol", "s3-csi-driver-volume", "allow-delete,region us-west-2", "1000"),
                        Map.of(
                                "mp-55f7d2331f3149f00d62d7af839d4cee895e1c68a2f0d96ffd359f79",
                                List.of(
                                        new WorkloadAttachment(
                                                "a4509011-bd2a-4f37-b1b0-05d715087852",
                                                Instant.parse("2026-01-02T03:04:05Z")),
                                        new WorkloadAttachment("b1", Instant.parse("2026-01-02T03:05:00Z"))),
                                "mp-old",
                                List.of())));
        assertThat(tree(JSON.asJson(attachment))).isEqualTo(tree(OF_2_2));
    }

    private static JsonNode tree(String json) throws Exception {
        return new ObjectMapper().readTree(json);
    }

    @Test
    void aNewOneIsWhatEarlierReleasesWouldWrite() throws Exception {
        SharingKey key = SharingKey.of("n", "pv", "id", List.of("allow-delete", "uid=1"), Optional.empty());
        WorkloadAttachment workload = new WorkloadAttachment("u", Instant.parse("2026-01-02T03:04:05.678Z"));
        PodAttachmentSpec spec = new PodAttachmentSpec(key, Map.of("mp-1", List.of(workload)));
        assertThat(tree(JSON.asJson(PodAttachment.of(spec, "3.0.0")))).isEqualTo(tree("""
                {
                  "apiVersion": "s3.csi.scality.com/v2",
                  "kind": "MountpointS3PodAttachment",
                  "metadata": {
                    "generateName": "s3pa-",
                    "labels": {"s3.csi.scality.com/mounted-by-csi-driver-version": "3.0.0"}
                  },
                  "spec": {
                    "nodeName": "n",
                    "persistentVolumeName": "pv",
                    "volumeID": "id",
                    "mountOptions": "allow-delete,uid=1",
                    "workloadFSGroup": "",
                    "mountpointS3PodAttachments": {
                      "mp-1": [{"workloadPodUID": "u", "attachmentTime": "2026-01-02T03:04:05Z"}]
                    }
                  }
                }
                """));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05Z, 2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.999999Z, 2026-01-02T03:04:05Z",
        "2026-01-02T04:04:05+01:00, 2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05, 2026-01-02T03:04:05Z",
        "yesterday, 1970-01-01T00:00:00Z",
        "'', 1970-01-01T00:00:00Z",
    })
    void noTimeThatSomeHandWroteHidesTheOtherAttachments(String text, Instant expected) {
        PodAttachment attachment = JSON.unmarshal(
                OF_2_2.replaceFirst("\"attachmentTime\": \"[^\"]*\"", "\"attachmentTime\": \"" + text + "\""),
                PodAttachment.class);
        assertThat(attachment
                        .getSpec()
                        .mountpointS3PodAttachments()
                        .firstEntry()
                        .getValue())
                .first()
                .isEqualTo(new WorkloadAttachment("a4509011-bd2a-4f37-b1b0-05d715087852", expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"spec\": {}}",
                "{\"spec\": {\"mountpointS3PodAttachments\": {\"mp-1\": null}}}",
                "{\"spec\": {\"mountpointS3PodAttachments\": {\"mp-1\": [{}]}}}"
            })
    void whatIsMissingServesNoWorkload(String json) {
        PodAttachmentSpec spec = JSON.unmarshal(json, PodAttachment.class).getSpec();
        assertThat(spec.key()).isEqualTo(new SharingKey("", "", "", "", ""));
        assertThat(spec.mountpointPodOf("u")).isEmpty();
    }

    @Test
    void fieldsOfLaterReleasesAreNoObstacle() {
        String later = OF_2_2.replace("\"nodeName\"", "\"later\": {\"a\": 1}, \"nodeName\"")
                .replace("\"workloadPodUID\": \"b1\"", "\"workloadPodUID\": \"b1\", \"later\": 1");
        assertThat(JSON.unmarshal(later, PodAttachment.class).getSpec())
                .isEqualTo(JSON.unmarshal(OF_2_2, PodAttachment.class).getSpec());
    }
}
