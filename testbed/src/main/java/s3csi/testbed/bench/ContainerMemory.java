package s3csi.testbed.bench;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import s3csi.testbed.bench.engine.ProcessUse;
import s3csi.testbed.cluster.ControlPlane;

/** The resident memory of a container of the driver, in MB: that of its processes, which this machine sees. */
record ContainerMemory(String pod, String name, double megabytes) {
    /** Every container that the release runs, and one Mountpoint Pod's. */
    static List<ContainerMemory> of(KubernetesClient client) {
        Stream<Pod> driver = Stream.of("s3-csi-controller", "s3-csi-node")
                .flatMap(app -> client.pods().inAnyNamespace().withLabel("app", app).list().getItems().stream());
        Stream<Pod> serving = client.pods().inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE).list().getItems().stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .limit(1);
        return Stream.concat(driver, serving)
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream()
                        .map(container -> of(pod.getMetadata().getName(), container)))
                .toList();
    }

    private static ContainerMemory of(String pod, ContainerStatus container) {
        String id = container.getContainerID().replaceFirst(".*/", "");
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            double megabytes = processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .filter(process -> isOf(process, id))
                    .mapToDouble(process -> ProcessUse.of(
                                    Long.parseLong(process.getFileName().toString()))
                            .residentMegabytes())
                    .sum();
            return new ContainerMemory(pod, container.getName(), megabytes);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list processes", e);
        }
    }

    private static boolean isOf(Path process, String container) {
        try {
            return Files.readString(process.resolve("cgroup")).contains(container);
        } catch (IOException ended) {
            return false;
        }
    }

    boolean isOfNode() {
        return pod.startsWith("s3-csi-node");
    }

    Figure atMost(double bar) {
        return Figure.atMost(text(), "MB", megabytes, bar);
    }

    Figure reported() {
        return Figure.of(text(), "MB", megabytes);
    }

    private String text() {
        return "resident memory of the container " + name;
    }
}
