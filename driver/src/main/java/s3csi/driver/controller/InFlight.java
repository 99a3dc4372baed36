package s3csi.driver.controller;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import s3csi.volume.Cause;
import s3csi.volume.VolumeFailure;

/** One call at a time for a volume: the second one is turned away at once and comes back later. */
final class InFlight {
    private final Set<String> volumes = ConcurrentHashMap.newKeySet();

    <T> T only(String volume, Supplier<T> work) {
        if (!volumes.add(volume)) {
            throw new VolumeFailure(new Cause.OperationPending(volume));
        }
        try {
            return work.get();
        } finally {
            volumes.remove(volume);
        }
    }
}
