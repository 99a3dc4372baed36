package s3csi.driver.grpc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import s3csi.volume.Cause;
import s3csi.volume.VolumeFailure;

/** One call at a time for a volume or target: the second one is turned away at once and comes back later. */
public final class InFlight {
    private final Set<String> volumes = ConcurrentHashMap.newKeySet();

    public <T> T only(String volume, Supplier<T> work) {
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
