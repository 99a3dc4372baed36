package s3csi.driver.node.pod;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import s3csi.driver.node.source.Engine;

/** The engine in a Mountpoint Pod, as far as the API server knows: kubelet starts and ends it. */
record PodEngine(Assignments assignments, ServingPod pod) implements Engine {
    @Override
    public boolean isAlive() {
        return now().filter(ServingPod::isRunning).isPresent();
    }

    private Optional<ServingPod> now() {
        return assignments.pod(pod.name()).filter(found -> found.uid().equals(pod.uid()));
    }

    @Override
    public byte[] lastWords() {
        String words = now().map(found -> "Mountpoint Pod " + pod.name() + " does not run any more: "
                        + found.holdUp().orElse("its phase is " + found.phase()))
                .orElse("Mountpoint Pod " + pod.name() + " was deleted");
        return words.getBytes(StandardCharsets.UTF_8);
    }
}
