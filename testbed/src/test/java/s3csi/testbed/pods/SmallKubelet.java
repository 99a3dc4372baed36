package s3csi.testbed.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import s3csi.linux.DirectoryTree;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.volume.mount.KubeletPaths;

/** As much of scheduler and kubelet as Mountpoint Pods of one node need: it binds them, runs them, restarts them and reports on them. */
final class SmallKubelet implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    private static final int GROUP = 1000;

    private final KubernetesClient client;
    private final String node;
    private final KubeletPaths paths;
    private final Path scratch;
    private final List<String> mounter;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final Set<String> unschedulable = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean canPull = true;
    private volatile boolean schedules = true;

    private record Running(Pod pod, ChildProcess process, Path directory) {}

    /** With this program in the pods. */
    SmallKubelet(KubernetesClient client, String node, Path kubelet, Path scratch, List<String> mounter) {
        this.client = client;
        this.node = node;
        this.paths = new KubeletPaths(kubelet.toString());
        this.scratch = scratch;
        this.mounter = mounter;
        this.thread = Thread.ofPlatform().daemon().name("small-kubelet").start(this::run);
    }

    /** From now on no image can be pulled, or all can. */
    void pulls(boolean can) {
        canPull = can;
    }

    /** From now on no Mountpoint Pod gets a node, or all do. */
    void schedules(boolean does) {
        schedules = does;
    }

    private void run() {
        try {
            do {
                try {
                    look();
                } catch (KubernetesClientException | UncheckedIOException away) {
                    // The API server is away, or changed the pod first: the next look is another try.
                    Objects.requireNonNull(away);
                }
            } while (!stopped.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        Set<String> there = new HashSet<>();
        for (Pod pod : client.pods()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .list()
                .getItems()) {
            if (isForThisNode(pod)) {
                there.add(pod.getMetadata().getUid());
                tend(pod);
            }
        }
        running.forEach((uid, found) -> {
            if (!there.contains(uid)) {
                end(uid, found);
            }
        });
    }

    private boolean isForThisNode(Pod pod) {
        String bound = pod.getSpec().getNodeName();
        return bound != null
                ? bound.equals(node)
                : pod.getSpec()
                        .getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms()
                        .getFirst()
                        .getMatchFields()
                        .getFirst()
                        .getValues()
                        .contains(node);
    }

    private void tend(Pod pod) {
        String uid = pod.getMetadata().getUid();
        String phase = pod.getStatus().getPhase();
        Running found = running.get(uid);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            terminate(pod, found);
        } else if (pod.getSpec().getNodeName() == null) {
            if (schedules) {
                bind(pod);
            }
        } else if (found == null && phase.equals("Pending")) {
            start(pod);
        } else if (found != null && !found.process.isAlive() && phase.equals("Running")) {
            ended(pod, found);
        }
    }

    private void bind(Pod pod) {
        client.raw(
                "/api/v1/namespaces/%s/pods/%s/binding"
                        .formatted(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName()),
                "POST",
                Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Binding",
                        "metadata",
                        Map.of("name", pod.getMetadata().getName()),
                        "target",
                        Map.of("apiVersion", "v1", "kind", "Node", "name", node)));
    }

    private void start(Pod pod) {
        if (!canPull) {
            if (unschedulable.add(pod.getMetadata().getUid())) {
                status(pod, """
                        {"phase":"Pending","containerStatuses":[{"name":"mountpoint","image":"","imageID":"","ready":false,
                        "restartCount":0,"state":{"waiting":{"reason":"ErrImagePull","message":"no such image"}}}]}""");
            }
            return;
        }
        Path directory = comm(pod);
        make(directory);
        running.put(pod.getMetadata().getUid(), new Running(pod, container(pod, directory), directory));
        status(pod, "{\"phase\":\"Running\",\"containerStatuses\":null}");
    }

    private ChildProcess container(Pod pod, Path comm) {
        Path root = scratch.resolve("root-" + pod.getMetadata().getUid());
        try {
            Files.createDirectories(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return PodProcess.start(root, comm, scratch.resolve(pod.getMetadata().getName() + ".log"), mounter);
    }

    private Path comm(Pod pod) {
        return Path.of(paths.comm(pod.getMetadata().getUid()));
    }

    /** As kubelet makes a directory for a pod with an fsGroup. */
    private static void make(Path comm) {
        try {
            Files.createDirectories(comm);
            Files.setPosixFilePermissions(comm, PosixFilePermissions.fromString("rwxrwxrwx"));
            Files.setAttribute(comm, "unix:gid", GROUP);
            Files.setAttribute(comm, "unix:mode", 02777);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code restartPolicy: OnFailure}. */
    private void ended(Pod pod, Running found) {
        if (found.process.exitCode() == 0) {
            status(pod, "{\"phase\":\"Succeeded\"}");
        } else {
            running.put(pod.getMetadata().getUid(), new Running(pod, container(pod, found.directory), found.directory));
        }
    }

    /** Told to stop, an engine that serves goes on; the pod is there until it has ended. */
    private void terminate(Pod pod, Running found) {
        if (found != null && found.process.isAlive()) {
            ProcessHandle.of(found.process.pid()).ifPresent(ProcessHandle::destroy);
            return;
        }
        if (found != null) {
            end(pod.getMetadata().getUid(), found);
        }
        client.resource(pod).withGracePeriod(0).delete();
    }

    /** All of a container, as the kernel does it. */
    private static void kill(ChildProcess container) {
        List<ProcessHandle> inside = ProcessHandle.of(container.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .toList();
        container.kill();
        inside.forEach(ProcessHandle::destroyForcibly);
    }

    private void end(String uid, Running found) {
        kill(found.process);
        try {
            DirectoryTree.remove(Path.of(paths.pods()).resolve(uid));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        running.remove(uid);
    }

    private void status(Pod pod, String status) {
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":" + status + "}");
    }

    /** Kills the engine in a pod as a crash would. */
    void crash(Pod pod) {
        kill(running.get(pod.getMetadata().getUid()).process);
    }

    /** Kills all engines; the pods are started again. */
    void crashAll() {
        new HashMap<>(running).values().forEach(found -> kill(found.process));
    }

    boolean runs(Pod pod) {
        return running.containsKey(pod.getMetadata().getUid());
    }

    String log(Pod pod) {
        try {
            return Files.readString(scratch.resolve(pod.getMetadata().getName() + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitIdle(Duration patience) {
        Await.until(patience, () -> "these Mountpoint Pods run on: " + running.keySet(), running::isEmpty);
    }

    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.values().forEach(found -> kill(found.process));
    }
}
