package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.kubernetes.MountpointPod.PublishSecret;
import s3csi.kubernetes.PodPhase;
import s3csi.volume.json.JsonObject;
import s3csi.volume.mount.EngineKind;

class ServingPodTest {
    private static ServingPod of(String text) {
        return ServingPod.of(JsonObject.parse(text));
    }

    private static ServingPod withStatus(String status) {
        return of("{\"status\":{" + status + "}}");
    }

    private static ServingPod withSpec(String spec) {
        return of("{\"spec\":{" + spec + "}}");
    }

    @Test
    void allOfAPodOfThisReleaseIsRead() {
        ServingPod pod = of("""
                {"metadata":{"name":"mp-1","uid":"u-1","deletionTimestamp":"2026-01-01T00:00:00Z",
                  "labels":{"s3.csi.scality.com/mounted-by-csi-driver-version":"3.0.0"},
                  "annotations":{"s3.csi.scality.com/needs-unmount":"true","s3.csi.scality.com/names-publish-secret":"true","s3.csi.scality.com/volume-id":"v"}},
                 "spec":{"containers":[{"volumeMounts":[{"mountPath":"/comm"},{"mountPath":"/etc/ssl/custom-ca"}]}],
                  "volumes":[{"name":"comm","emptyDir":{"sizeLimit":"10Mi"}},{"name":"local-cache","emptyDir":{"sizeLimit":"1Gi"}}]},
                 "status":{"phase":"Running"}}""");
        assertThat(pod.name()).isEqualTo("mp-1");
        assertThat(pod.uid()).isEqualTo("u-1");
        assertThat(pod.isTerminating()).isTrue();
        assertThat(pod.needsUnmount()).isTrue();
        assertThat(pod.publishSecret()).isEqualTo(PublishSecret.NAMED);
        assertThat(pod.driverVersion()).isEqualTo("3.0.0");
        assertThat(pod.holdUp()).isEmpty();
        assertThat(pod.hasAuthorities()).isTrue();
        assertThat(pod.cacheLimit()).contains("1Gi");
        assertThat(pod.engine()).isEqualTo(EngineKind.OURS);
        assertThat(pod.isRunning()).isTrue();
    }

    /** The controller of this release keeps the annotation about Secrets true on pods of 2.x, too. */
    @Test
    void aPodOfAnEarlierReleaseStaysOneWhateverIsToldOfIt() {
        ServingPod pod = of("{\"metadata\":{\"name\":\"mp-1\",\"uid\":\"u-1\",\"annotations\":"
                + "{\"s3.csi.scality.com/names-publish-secret\":\"true\"}},\"status\":{\"phase\":\"Running\"}}");
        assertThat(pod.publishSecret()).isEqualTo(PublishSecret.NAMED);
        assertThat(pod.engine()).isEqualTo(EngineKind.MOUNTPOINT);
    }

    @Test
    void aPodOfAnEarlierReleaseRunsMountpoint() {
        ServingPod pod = of(
                "{\"metadata\":{\"name\":\"mp-1\",\"uid\":\"u-1\",\"deletionTimestamp\":null},\"status\":{\"phase\":\"Running\"}}");
        assertThat(pod.engine()).isEqualTo(EngineKind.MOUNTPOINT);
        assertThat(pod.publishSecret()).isEqualTo(PublishSecret.UNTOLD);
        assertThat(pod.needsUnmount()).isFalse();
        assertThat(pod.isTerminating()).isFalse();
        assertThat(pod.hasAuthorities()).isFalse();
        assertThat(pod.cacheLimit()).isEmpty();
        assertThat(pod.isRunning()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "Pending,PENDING,false",
        "Running,RUNNING,true",
        "Succeeded,SUCCEEDED,false",
        "Failed,FAILED,false",
        "Unknown,UNKNOWN,false",
        "'',UNKNOWN,false"
    })
    void onlyOneThatRunsServes(String text, PodPhase phase, boolean isRunning) {
        ServingPod pod = withStatus("\"phase\":\"" + text + "\"");
        assertThat(pod.phase()).isEqualTo(phase);
        assertThat(pod.isRunning()).isEqualTo(isRunning);
    }

    @Test
    void aPodThatFindsNoNodeSaysWhy() {
        assertThat(withStatus("""
                        "phase":"Pending","conditions":[{"type":"Ready","status":"False","reason":"x"},
                        {"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/3 nodes: Insufficient memory."}]""").holdUp()).contains("Unschedulable: 0/3 nodes: Insufficient memory.");
        assertThat(withStatus("\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"True\"}]")
                        .holdUp())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ErrImagePull",
                "ImagePullBackOff",
                "ErrImageNeverPull",
                "InvalidImageName",
                "ImageInspectError",
                "CreateContainerConfigError",
                "CreateContainerError",
                "RunContainerError",
                "CrashLoopBackOff"
            })
    void aContainerThatCannotStartSaysWhy(String reason) {
        String waiting = "[{\"state\":{\"waiting\":{\"reason\":\"" + reason + "\",\"message\":\"so it is\"}}}]";
        assertThat(withStatus("\"phase\":\"Pending\",\"containerStatuses\":" + waiting)
                        .holdUp())
                .contains(reason + ": so it is");
        assertThat(withStatus("\"phase\":\"Pending\",\"initContainerStatuses\":" + waiting)
                        .holdUp())
                .contains(reason + ": so it is");
    }

    /** The phase of a pod stays Running while its container waits to be started again. */
    @Test
    void aPodWhoseContainerCrashesAgainAndAgainDoesNotServe() {
        ServingPod pod = withStatus(
                "\"phase\":\"Running\",\"containerStatuses\":[{\"state\":{\"waiting\":{\"reason\":\"CrashLoopBackOff\"}}}]");
        assertThat(pod.isRunning()).isFalse();
        assertThat(pod.holdUp()).contains("CrashLoopBackOff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ContainerCreating", "PodInitializing", ""})
    void whatPassesByItselfIsNoHoldUp(String reason) {
        assertThat(withStatus("\"phase\":\"Pending\",\"containerStatuses\":[{\"state\":{\"waiting\":{\"reason\":\""
                                + reason + "\"}}},{\"state\":{\"running\":{}}}]")
                        .holdUp())
                .isEmpty();
    }

    @Test
    void aPodThatFailedSaysWhy() {
        assertThat(withStatus("\"phase\":\"Failed\",\"reason\":\"Evicted\",\"message\":\"low on memory\"")
                        .holdUp())
                .contains("Evicted: low on memory");
        assertThat(withStatus("\"phase\":\"Failed\",\"reason\":\"NodeLost\"").holdUp())
                .contains("NodeLost");
        assertThat(withStatus("\"phase\":\"Failed\"").holdUp()).contains("it failed");
    }

    @Test
    void onlyACacheOnDiskWithALimitHasOne() {
        assertThat(withSpec("\"volumes\":[{\"name\":\"local-cache\",\"emptyDir\":{}}]")
                        .cacheLimit())
                .isEmpty();
        assertThat(withSpec(
                                "\"volumes\":[{\"name\":\"local-cache\",\"emptyDir\":{\"medium\":\"Memory\",\"sizeLimit\":\"1Gi\"}}]")
                        .cacheLimit())
                .isEmpty();
        assertThat(withSpec("\"volumes\":[{\"name\":\"local-cache\",\"ephemeral\":{}}]")
                        .cacheLimit())
                .isEmpty();
    }
}
