package s3csi.testbed.e2e;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import s3csi.s3.credentials.Credentials;
import s3csi.testbed.cluster.LiveCluster;

/** A node of the running cluster, and what a test does to it: by the launcher, which made it. */
record LiveNode(LiveCluster cluster, Terminal terminal, int number) {
    static final String LABEL = "kubernetes.io/hostname";

    /** @throws IllegalStateException if the cluster has no such node */
    static LiveNode of(LiveCluster cluster, int number) {
        LiveNode node = new LiveNode(cluster, new Terminal(cluster), number);
        if (cluster.client().nodes().withName(node.name()).get() == null) {
            throw new IllegalStateException(
                    "the cluster has no %s; ./s3csi cluster up --nodes 2 starts one that has".formatted(node.name()));
        }
        return node;
    }

    String name() {
        return "node" + number;
    }

    /** A pod that runs only here. */
    PodSpecBuilder here(PodSpecBuilder pod) {
        return pod.withNodeSelector(Map.of(LABEL, name()));
    }

    /** Kubelet is killed and started; everything else runs on. */
    void restartKubelet() {
        launcher("restart_kubelet", String.valueOf(number));
    }

    /** Processes and mounts end as if the power failed, then the node starts again. */
    void restart() {
        launcher("restart_node", String.valueOf(number));
    }

    /** The node starts again, with the directory of its kubelet below {@code /var/lib} somewhere else. */
    void moveKubelet(String path) {
        launcher("move_kubelet", String.valueOf(number), path);
    }

    /** Kills the processes of a container without any notice, as the kernel does when memory runs out. */
    void kill(Pod pod, String container) {
        String id = requireNonNull(status(pod, container).getContainerID());
        run("ctr", "--namespace", "k8s.io", "tasks", "kill", "--signal", "SIGKILL", id.replace("containerd://", ""));
    }

    /** The image of the release gets another tag, too, on this node. */
    void tagImage(String image, String tag) {
        String released = run("ctr", "--namespace", "k8s.io", "images", "list", "--quiet", "name~=" + image + ":")
                .lines()
                .findFirst()
                .orElseThrow();
        run("ctr", "--namespace", "k8s.io", "images", "tag", "--force", released, image + ":" + tag);
    }

    ContainerStatus status(Pod pod, String container) {
        return cluster.client().resource(pod).require().getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(container))
                .findFirst()
                .orElseThrow();
    }

    /** The lines of the node's mount table that have a text. */
    List<String> mounts(String text) {
        return run("cat", "/proc/self/mountinfo")
                .lines()
                .filter(line -> line.contains(text))
                .toList();
    }

    /** Whether the greeting in the volume of a workload can be read at its place on the node, which the next container of it will see. */
    boolean isServed(Pod workload) {
        return run(
                        "sh",
                        "-c",
                        "cat /var/lib/kubelet/pods/%s/volumes/kubernetes.io~csi/*/mount/greeting >/dev/null 2>&1 && echo yes || true"
                                .formatted(workload.getMetadata().getUid()))
                .equals("yes");
    }

    /** Whether these are the keys that the driver gave to an engine. */
    boolean hasKeys(Pod mountpointPod, Credentials.Keys keys) {
        return !run(
                        "sh",
                        "-c",
                        "grep -rls %s /var/lib/kubelet/pods/%s/volumes/kubernetes.io~empty-dir/comm || true"
                                .formatted(
                                        keys.secretAccessKey(),
                                        mountpointPod.getMetadata().getUid()))
                .isEmpty();
    }

    /** The driver's pod on this node, whatever becomes of it. */
    List<Pod> driverPods() {
        return cluster
                .client()
                .pods()
                .inNamespace("kube-system")
                .withLabel("app", "s3-csi-node")
                .list()
                .getItems()
                .stream()
                .filter(pod -> name().equals(pod.getSpec().getNodeName()))
                .toList();
    }

    private String run(String... command) {
        String[] words = new String[command.length + 2];
        words[0] = "on_node";
        words[1] = String.valueOf(number);
        System.arraycopy(command, 0, words, 2, command.length);
        return launcher(words);
    }

    private String launcher(String... words) {
        return terminal.run("S3CSI_HOME=$PWD exec launcher/step.sh "
                + Arrays.stream(words).map("'%s'"::formatted).collect(Collectors.joining(" ")));
    }
}
