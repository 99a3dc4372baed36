package s3csi.testbed.training;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import s3csi.kubernetes.PodAttachmentDefinition;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.cluster.ControllerProgram;
import s3csi.testbed.cluster.SampleObjects;

/** A working day of the controller: workloads come and go, one has a volume that makes no sense, and many pods are not about it. */
final class ControllerTraining {
    private static final Duration SERVED_WITHIN = Duration.ofMinutes(1);

    /** Writing the cache takes the JVM some seconds on its way out. */
    private static final Duration WRITTEN_WITHIN = Duration.ofMinutes(3);

    private static final String NAMESPACE = "training";
    private static final String ATTACHMENTS = PodAttachmentDefinition.NAME.split("\\.", 2)[0];
    private static final int VOLUMES = 40;
    private static final int WORKLOADS = 120;
    private static final int OTHERS = 400;

    private ControllerTraining() {}

    static void run(List<String> command) throws IOException {
        TrainingObjects objects = new TrainingObjects();
        for (int number = 0; number < VOLUMES; number++) {
            volume(objects, "volume-" + number, Map.of("bucketName", "bucket"));
        }
        for (int number = 0; number < WORKLOADS + OTHERS; number++) {
            objects.add("pods", pod(number, number < WORKLOADS ? "volume-" + number % VOLUMES : ""));
        }
        Path directory = Scratch.directory("training");
        try (TrainingApiServer server = new TrainingApiServer(objects);
                ControllerProgram controller = ControllerProgram.start(
                        command, Map.of(), server.kubeconfig(directory), directory, "controller", "--v=4")) {
            // One more comes by the watch, and its volume is refused in words.
            controller.awaitLeading();
            volume(objects, "senseless", Map.of("cache", "none such"));
            objects.add("pods", pod(WORKLOADS + OTHERS, "senseless"));
            await(controller, "all are served", () -> objects.count(ATTACHMENTS) == VOLUMES);
            await(controller, "what makes no sense is told", () -> objects.count("events") > 0);
            objects.everyPodBecomes(NAMESPACE, "Succeeded");
            await(controller, "all are released", () -> objects.count(ATTACHMENTS) == 0);
            objects.everyPodBecomes(ControlPlane.MOUNTPOINT_NAMESPACE, "Succeeded");
            await(controller, "what ended is removed", () -> objects.count("pods") == WORKLOADS + OTHERS + 1);
            String _ = controller.get("/healthz") + controller.get("/metrics");
            int _ = controller.process().terminateWithin(WRITTEN_WITHIN);
        }
    }

    private static void await(ControllerProgram controller, String what, BooleanSupplier condition) {
        Await.until(SERVED_WITHIN, () -> controller.process().story("does not get so far that " + what), condition);
    }

    /** Bound to a claim of the same name. */
    private static void volume(TrainingObjects objects, String name, Map<String, String> attributes) {
        objects.add("persistentvolumes", SampleObjects.volume(NAMESPACE, name, attributes));
        objects.add("persistentvolumeclaims", SampleObjects.claim(NAMESPACE, name));
    }

    private static Pod pod(int number, String claim) {
        return SampleObjects.pod(NAMESPACE, "pod-" + number, "node-" + number % 10, claim);
    }
}
