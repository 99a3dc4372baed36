package s3csi.driver.node.pod;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.source.SourceLocks;
import s3csi.volume.VolumeFailure;

/**
 * Unmounts the sources of Mountpoint Pods that have done their work: the controller says so in an annotation, or the pod is no more. Each
 * is looked at on a thread of its own, so that one that is busy holds up no other; what cannot end yet is looked at when one of its
 * targets ends, when its pod changes, and every two minutes.
 */
final class PodUnmounts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodUnmounts.class);

    /** Nothing is missed by waiting no longer: a change comes, or the next look at everything. */
    private static final Duration UNTIL_NEXT_LOOK = Duration.ofMinutes(1);

    private static final Duration LOCK_PATIENCE = Duration.ofSeconds(60);

    private final Assignments assignments;
    private final PodSources sources;
    private final SourceLocks locks;
    private final Supplier<List<PodSource>> mounted;

    /** How often each source under way was asked for: what changes after a look needs another one. */
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();

    private final Thread thread;

    PodUnmounts(Assignments assignments, PodSources sources, SourceLocks locks, Supplier<List<PodSource>> mounted) {
        this.assignments = assignments;
        this.sources = sources;
        this.locks = locks;
        this.mounted = mounted;
        this.thread = Thread.ofVirtual().name("unmounter").start(this::run);
    }

    private void run() {
        try {
            while (true) {
                long known = assignments.changes().count();
                try {
                    lookAtAll();
                } catch (RuntimeException e) {
                    LOG.warn("cannot look for sources to unmount; trying again within a minute", e);
                }
                assignments.changes().awaitAfter(known, UNTIL_NEXT_LOOK);
            }
        } catch (InterruptedException e) {
            LOG.debug("the unmounter ends", e);
        }
    }

    /** Has a source looked at soon; once more if that is under way. */
    void look(String name) {
        if (asked.merge(name, 1, Integer::sum) == 1) {
            Thread.ofVirtual().name("unmount " + name).start(() -> {
                int seen;
                do {
                    seen = asked.getOrDefault(name, 0);
                    lookNow(name);
                } while (!asked.remove(name, seen));
            });
        }
    }

    /** Whether no source is being looked at. */
    boolean isIdle() {
        return asked.isEmpty();
    }

    private void lookNow(String name) {
        try {
            endIfDone(name);
        } catch (VolumeFailure e) {
            LOG.warn("cannot unmount the source of Mountpoint Pod {} yet: {}", name, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("a defect kept the source of Mountpoint Pod {} from being unmounted", name, e);
        }
    }

    /** Those whose pods have done their work or are no more. */
    void lookAtAll() {
        Set<String> names = new HashSet<>();
        mounted.get().forEach(source -> names.add(source.name()));
        assignments.pods().forEach(pod -> names.add(pod.name()));
        names.stream().filter(this::isToEnd).forEach(this::look);
    }

    private boolean isToEnd(String name) {
        // Asked first: a list that comes in between is not taken for one without the pod.
        boolean isCurrent = assignments.isCurrent();
        return assignments.pod(name).map(PodUnmounts::isDone).orElse(isCurrent);
    }

    private void endIfDone(String name) {
        if (!isToEnd(name)) {
            return;
        }
        try (SourceLocks.Held _ = locks.take(name, Deadline.after(LOCK_PATIENCE))) {
            // Whoever had the lock until now may have waited for the pod, too.
            if (!isToEnd(name)) {
                return;
            }
            assignments
                    .pod(name)
                    .map(sources::comm)
                    .filter(PodComm::exists)
                    .ifPresent(comm -> askForTheEnd(name, comm));
            PodSource source = sources.source(name);
            if (!source.exists()) {
                return;
            }
            if (!sources.isEnded(source)) {
                LOG.info(
                        "the source of Mountpoint Pod {} is still in use; it will be unmounted with its last target",
                        name);
                return;
            }
            // Its keys stay with the pod, which is memory: the engine may still store what was closed last.
            LOG.info("the source of Mountpoint Pod {} is unmounted", name);
        }
    }

    /** A pod that fills its directory must not keep its source mounted; it is asked again as long as it runs. */
    private static void askForTheEnd(String name, PodComm comm) {
        try {
            comm.askForTheEnd();
        } catch (VolumeFailure e) {
            LOG.warn("Mountpoint Pod {} cannot be told yet to end: {}", name, e.getMessage());
        }
    }

    private static boolean isDone(ServingPod pod) {
        return pod.needsUnmount() || pod.phase().hasEnded();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
