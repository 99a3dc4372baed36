package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.control.Announcements;
import s3csi.reconciler.model.S3Volume;

/**
 * Looks at everything again, every two minutes: at what was left behind by a controller that ended in the middle, and at what no event told of.
 */
final class Cleaner {
    private static final Logger LOG = LoggerFactory.getLogger(Cleaner.class);

    private static final Duration INTERVAL = Duration.ofMinutes(2);

    private final List<Runnable> looks;
    private final Duration interval;

    Cleaner(ClusterCache cache, ClusterEvents events, Announcements announcements) {
        this(List.of(events::all, () -> reportSharedHandles(cache, announcements)), INTERVAL);
    }

    /** One that looks at these, each time. */
    Cleaner(List<Runnable> looks, Duration interval) {
        this.looks = List.copyOf(looks);
        this.interval = interval;
    }

    /** Until the thread is interrupted; the first time at once. */
    void run() {
        try {
            while (true) {
                look();
                Thread.sleep(interval);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where one look fails, the others are taken all the same. */
    void look() {
        for (Runnable each : looks) {
            try {
                each.run();
            } catch (RuntimeException e) {
                LOG.error("cannot look for what was left behind; trying again in {}", interval, e);
            }
        }
    }

    /** Kubelet knows volumes of a pod by their handles, and mounts one of two that have the same. */
    private static void reportSharedHandles(ClusterCache cache, Announcements announcements) {
        Map<String, List<PersistentVolume>> byHandle = cache.volumes()
                .filter(volume -> S3Volume.of(volume).isPresent())
                .collect(Collectors.groupingBy(
                        volume -> volume.getSpec().getCsi().getVolumeHandle()));
        byHandle.forEach((handle, volumes) -> {
            if (volumes.size() > 1) {
                String names = volumes.stream()
                        .map(volume -> volume.getMetadata().getName())
                        .sorted()
                        .limit(10)
                        .collect(Collectors.joining(", "));
                volumes.stream()
                        .flatMap(volume -> cache.claimOf(volume).stream())
                        .forEach(claim -> announcements.warn(
                                claim,
                                "SharedVolumeHandle",
                                "the volumes " + names + " have the same volumeHandle " + handle
                                        + ", so a pod that uses two of them does not start. Give each a volumeHandle of its own;"
                                        + " the attribute bucketName may be the same"));
            }
        });
    }
}
