package s3csi.testbed.bench;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import s3csi.volume.Driver;

/** Kubelet's calls to mount one volume, as the log of the node's driver has them: a line at the end of each, with how long it took. */
final class PublishCalls {
    private static final Pattern CALL = Pattern.compile(
            "\\{\"ts\":(\\d+),.*\"method\":\"NodePublishVolume\",\"code\":\"(\\w+)\",\"ms\":\"(\\d+)\",\"request\":\"(.*)\"");

    /** Times are milliseconds of the clock. */
    record Call(long began, long ended, boolean isServed) {}

    private final KubernetesClient client;
    private final String volume;

    PublishCalls(KubernetesClient client, String volume) {
        this.client = client;
        this.volume = volume;
    }

    List<Call> ended() {
        return client.pods().inAnyNamespace().withLabel("app", "s3-csi-node").list().getItems().stream()
                .flatMap(pod -> client.pods()
                        .inNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .inContainer("s3-plugin")
                        .getLog()
                        .lines())
                .flatMap(line -> CALL.matcher(line).results())
                .filter(call -> call.group(4).contains(volume))
                .map(PublishCalls::call)
                .toList();
    }

    private static Call call(MatchResult line) {
        long ended = Long.parseLong(line.group(1));
        return new Call(
                ended - Long.parseLong(line.group(3)), ended, line.group(2).equals("OK"));
    }

    /** From the beginning of the first call after that time to the end of the first that succeeded. */
    double secondsToSuccess(long since) {
        List<Call> calls =
                ended().stream().filter(call -> call.began() >= since).toList();
        Call served = calls.stream()
                .filter(Call::isServed)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the log of %s has no call that mounted %s".formatted(Driver.NAME, volume)));
        return (served.ended() - calls.getFirst().began()) / 1e3;
    }
}
