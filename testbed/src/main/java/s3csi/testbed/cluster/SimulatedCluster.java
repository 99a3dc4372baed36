package s3csi.testbed.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodPhase;

/**
 * Many pods on many nodes that do not exist: some are workloads with volumes of this driver, each with a Mountpoint Pod of its own, and for
 * these it does what a kubelet would: what is wanted runs, and what is told to unmount ends.
 */
public final class SimulatedCluster implements AutoCloseable {
    private static final String NAMESPACE = "simulated";

    /** As many requests at once as keep an API server on two cores busy. */
    private static final int AT_ONCE = 8;

    /** How many there are of each kind. */
    public record Size(int pods, int workloads, int nodes, int volumes) {}

    private final KubernetesClient client;
    private final Size size;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore turns = new Semaphore(AT_ONCE);
    private final AtomicLong events = new AtomicLong();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> listed = new ConcurrentHashMap<>();
    private final Map<String, String> workloadNames = new ConcurrentHashMap<>();
    private final AtomicInteger mountpointPods = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<PodAttachment> attachments;

    /** Makes all of it, and watches from then on. */
    public SimulatedCluster(KubernetesClient client, Size size) {
        this.client = client;
        this.size = size;
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        each(size.volumes(), this::makeVolume);
        each(size.pods(), this::makePod);
        pods = client.pods()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .inform(new Counting<>(this::mountpointPodChanged, _ -> mountpointPods.decrementAndGet()));
        attachments = client.resources(PodAttachment.class)
                .inform(new Counting<>(
                        attachment -> listed.put(
                                attachment.getMetadata().getName(),
                                attachment.getSpec().mountpointS3PodAttachments().values().stream()
                                        .mapToInt(workloads -> workloads.size())
                                        .sum()),
                        attachment -> listed.remove(attachment.getMetadata().getName())));
    }

    /** Hands on each change, and counts it. */
    private final class Counting<T extends HasMetadata> implements ResourceEventHandler<T> {
        private final Consumer<T> changed;
        private final Consumer<T> deleted;

        Counting(Consumer<T> changed, Consumer<T> deleted) {
            this.changed = changed;
            this.deleted = deleted;
        }

        @Override
        public void onAdd(T object) {
            events.incrementAndGet();
            changed.accept(object);
        }

        @Override
        public void onUpdate(T before, T now) {
            events.incrementAndGet();
            changed.accept(now);
        }

        @Override
        public void onDelete(T object, boolean isUnknown) {
            events.incrementAndGet();
            deleted.accept(object);
        }
    }

    private void makeVolume(int number) {
        String name = "volume-" + number;
        client.resource(SampleObjects.volume(NAMESPACE, name, Map.of("bucketName", "bucket")))
                .create();
        PersistentVolumeClaim claim = SampleObjects.claim(NAMESPACE, name);
        client.resource(claim).create();
        client.resource(claim)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"Bound\"}}");
    }

    /** The first ones are workloads, and wait; all others run. */
    private void makePod(int number) {
        boolean isWorkload = number < size.workloads();
        Pod made = client.resource(SampleObjects.pod(
                        NAMESPACE,
                        "pod-" + number,
                        "node-" + number % size.nodes(),
                        isWorkload ? "volume-" + number % size.volumes() : ""))
                .create();
        if (isWorkload) {
            workloadNames.put(made.getMetadata().getUid(), made.getMetadata().getName());
        } else {
            setPhase(NAMESPACE, made.getMetadata().getName(), "Running");
        }
    }

    private void setPhase(String namespace, String name, String phase) {
        client.pods()
                .inNamespace(namespace)
                .withName(name)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"" + phase + "\"}}");
        events.incrementAndGet();
    }

    private void mountpointPodChanged(Pod pod) {
        MountpointPod known = MountpointPod.of(pod);
        if (handled.add("seen " + known.uid())) {
            mountpointPods.incrementAndGet();
        }
        if (known.needsUnmount()) {
            once("ends " + known.uid(), () -> setPhase(ControlPlane.MOUNTPOINT_NAMESPACE, known.name(), "Succeeded"));
        } else if (known.phase() == PodPhase.PENDING) {
            once("runs " + known.uid(), () -> {
                setPhase(ControlPlane.MOUNTPOINT_NAMESPACE, known.name(), "Running");
                String workload = workloadNames.get(known.workloadUid());
                if (workload != null) {
                    setPhase(NAMESPACE, workload, "Running");
                    running.incrementAndGet();
                }
            });
        }
    }

    private void once(String what, Runnable work) {
        if (handled.add(what)) {
            Future<?> _ = inTurn(work);
        }
    }

    private Future<?> inTurn(Runnable work) {
        return threads.submit(() -> {
            turns.acquire();
            try {
                work.run();
                return true;
            } finally {
                turns.release();
            }
        });
    }

    /** How many workloads attachments list. */
    public int listed() {
        return listed.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** How many workloads have come so far that they run. */
    public int running() {
        return running.get();
    }

    public int mountpointPods() {
        return mountpointPods.get();
    }

    /** Changes of workloads, Mountpoint Pods and attachments so far, with those made by this class. */
    public long events() {
        return events.get();
    }

    /** All workloads have done what they were for. */
    public void endWorkloads() {
        each(size.workloads(), number -> setPhase(NAMESPACE, "pod-" + number, "Succeeded"));
    }

    private void each(int count, IntConsumer work) {
        List<Future<?>> begun = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            int one = number;
            begun.add(inTurn(() -> work.accept(one)));
        }
        try {
            for (Future<?> one : begun) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot simulate a cluster", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while simulating a cluster", e);
        }
    }

    @Override
    public void close() {
        pods.stop();
        attachments.stop();
        threads.shutdownNow();
    }
}
