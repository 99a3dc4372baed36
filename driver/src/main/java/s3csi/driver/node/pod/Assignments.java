package s3csi.driver.node.pod;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import s3csi.driver.cluster.ApiFailure;
import s3csi.driver.cluster.ApiServer;
import s3csi.driver.cluster.Changes;
import s3csi.driver.cluster.WatchedList;
import s3csi.driver.node.kernel.Deadline;
import s3csi.volume.Cause;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.json.JsonObject;
import s3csi.volume.mount.Workload;

/** Which Mountpoint Pod serves which workload of this node, as the API server says now. */
public final class Assignments implements AutoCloseable {
    private static final String ENDING = "it has ended or is about to; another takes its place";
    private static final String ATTACHMENTS = "/apis/s3.csi.scality.com/v2/mountpoints3podattachments";

    private final ApiServer server;
    private final String namespace;
    private final String controllerLog;
    private final Changes changes = new Changes();
    private final WatchedList<NodeAttachment> attachments;
    private final WatchedList<ServingPod> pods;
    private final Patience patience;

    /**
     * After which a publish call gives up waiting, and says for what. Kubelet repeats it.
     *
     * @param server for the first answer of an API server
     * @param assignment for the controller, which needs a second
     * @param holdUp for what seldom passes, such as an image that cannot be pulled
     */
    public record Patience(Duration server, Duration assignment, Duration holdUp) {
        public static final Patience USUAL =
                new Patience(Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(10));
    }

    /**
     * Watches from now on.
     *
     * @param namespace of the Mountpoint Pods
     * @param controllerLog the command that shows it
     */
    public Assignments(
            ApiServer server,
            String node,
            String namespace,
            String controllerLog,
            WatchedList.Pace pace,
            Patience patience) {
        this.server = server;
        this.namespace = namespace;
        this.controllerLog = controllerLog;
        this.patience = patience;
        attachments = new WatchedList<>(
                server,
                ATTACHMENTS,
                "spec.nodeName=" + node,
                object -> isOn(node, object) ? Optional.of(NodeAttachment.of(object)) : Optional.empty(),
                changes,
                pace);
        pods = new WatchedList<>(
                server,
                podsPath(),
                "spec.nodeName=" + node,
                object -> isOn(node, object) ? Optional.of(ServingPod.of(object)) : Optional.empty(),
                changes,
                pace);
    }

    private String podsPath() {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    /** A server that cannot select sends those of all nodes. */
    private static boolean isOn(String node, JsonObject object) {
        return object.text("spec", "nodeName").equals(node);
    }

    Changes changes() {
        return changes;
    }

    Optional<ServingPod> pod(String name) {
        return pods.named(name);
    }

    List<ServingPod> pods() {
        return pods.all();
    }

    /** The attachment that names a Mountpoint Pod. */
    Optional<NodeAttachment> attachmentOf(String mountpointPod) {
        return attachments.all().stream()
                .filter(attachment -> attachment.lists(mountpointPod))
                .findFirst();
    }

    /** Whether a Mountpoint Pod that is not among the known ones does not exist: nothing was missed. */
    boolean isCurrent() {
        return trouble().isEmpty();
    }

    /** Why what is known may be old. */
    public Optional<String> trouble() {
        return attachments.trouble().or(pods::trouble);
    }

    String namespace() {
        return namespace;
    }

    /** How far it is with the Mountpoint Pod of a workload. */
    private sealed interface Standing {
        record Running(ServingPod pod) implements Standing {}

        /**
         * Not yet.
         *
         * @param why asked for once, when it is told
         * @param worthwhile how long a call waits for that
         */
        record Waiting(Supplier<NodeCause> why, Duration worthwhile) implements Standing {}
    }

    /** The Mountpoint Pod that serves the workload, running; waits for it, if that makes sense, until the deadline. */
    ServingPod awaitRunning(Workload workload, String volume, Deadline deadline) {
        return await(workload, volume, deadline, pod -> pod.isRunning());
    }

    /** The same, whether it runs or not. */
    ServingPod awaitAssigned(Workload workload, String volume, Deadline deadline) {
        return await(workload, volume, deadline, _ -> true);
    }

    private interface Wanted {
        boolean isGood(ServingPod pod);
    }

    private ServingPod await(Workload workload, String volume, Deadline deadline, Wanted wanted) {
        long begin = System.nanoTime();
        while (true) {
            long known = changes.count();
            switch (standing(workload, volume, wanted)) {
                case Standing.Running(ServingPod pod) -> {
                    return pod;
                }
                case Standing.Waiting(Supplier<NodeCause> why, Duration worthwhile) -> {
                    Duration left = worthwhile.minusNanos(System.nanoTime() - begin);
                    if (left.isNegative() || deadline.isOver()) {
                        throw new VolumeFailure(why.get());
                    }
                    awaitChange(known, deadline.atMost(left.plusMillis(1)));
                }
            }
        }
    }

    private void awaitChange(long known, Duration patience) {
        try {
            changes.awaitAfter(known, patience);
        } catch (InterruptedException e) {
            throw new VolumeFailure(new Cause.Stopping(), e);
        }
    }

    private Standing standing(Workload workload, String volume, Wanted wanted) {
        List<String> named = attachments.all().stream()
                .filter(attachment -> attachment.persistentVolume().equals(workload.persistentVolume())
                        && attachment.volume().equals(volume))
                .flatMap(attachment -> attachment.podsOf(workload.podUid()).stream())
                .toList();
        Optional<ServingPod> best = named.stream()
                .flatMap(name -> pods.named(name).stream())
                .filter(pod -> !pod.needsUnmount() && !pod.phase().hasEnded())
                .min(Comparator.comparing((ServingPod pod) -> !pod.isRunning())
                        .thenComparing(ServingPod::isTerminating));
        if (best.isPresent() && wanted.isGood(best.get())) {
            return new Standing.Running(best.get());
        }
        Optional<String> trouble = trouble();
        if (trouble.isPresent()) {
            return new Standing.Waiting(() -> new NodeCause.ClusterUnreachable(trouble.get()), patience.server);
        }
        return best.map(this::notReady).orElseGet(() -> missing(workload, named));
    }

    private Standing notReady(ServingPod pod) {
        return pod.holdUp()
                .map(reason -> waiting(pod.name(), reason, patience.holdUp))
                .orElseGet(() ->
                        waiting(pod.name(), "it is not running yet, its phase is " + pod.phase(), Duration.ofDays(1)));
    }

    private Standing missing(Workload workload, List<String> named) {
        if (named.isEmpty()) {
            return new Standing.Waiting(
                    () -> new NodeCause.NotAssigned(workload.persistentVolume(), workload.podUid(), controllerLog),
                    patience.assignment);
        }
        return Stream.of(named.getFirst())
                .flatMap(name -> pods.named(name).stream())
                .findFirst()
                .map(pod -> waiting(pod.name(), ENDING, patience.assignment))
                .orElseGet(() -> new Standing.Waiting(
                        () -> notReady(named.getFirst(), problemElsewhere(named.getFirst())), patience.assignment));
    }

    /** One that no node was found for is not among those of this node, and has a reason for it. */
    private String problemElsewhere(String pod) {
        try {
            return ServingPod.of(server.get(podsPath() + "/" + pod)).holdUp().orElse("it is not on this node yet");
        } catch (ApiFailure e) {
            return e.code() == HttpURLConnection.HTTP_NOT_FOUND
                    ? "it does not exist; another takes its place"
                    : "it is not on this node yet";
        }
    }

    /** That a pod which was waited for is still to be mounted on. */
    void requireServing(ServingPod pod) {
        Optional<ServingPod> now = pod(pod.name()).filter(found -> found.uid().equals(pod.uid()));
        if (now.filter(found -> found.isRunning() && !found.needsUnmount()).isEmpty()) {
            throw new VolumeFailure(
                    notReady(pod.name(), now.flatMap(ServingPod::holdUp).orElse(ENDING)));
        }
    }

    private Standing waiting(String pod, String problem, Duration worthwhile) {
        return new Standing.Waiting(() -> notReady(pod, problem), worthwhile);
    }

    private NodeCause notReady(String pod, String problem) {
        return new NodeCause.MountpointPodNotReady(pod, problem, namespace);
    }

    @Override
    public void close() {
        attachments.close();
        pods.close();
    }
}
