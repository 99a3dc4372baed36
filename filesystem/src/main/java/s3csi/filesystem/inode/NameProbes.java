package s3csi.filesystem.inode;

import java.util.concurrent.ConcurrentHashMap;
import s3csi.filesystem.failure.FileException;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;

/** Asks the store about names; those who ask for the same name at the same time share the requests. */
public final class NameProbes {
    private final ObjectStore store;
    private final Time time;
    private final ConcurrentHashMap<String, Probe> running = new ConcurrentHashMap<>();

    public NameProbes(ObjectStore store, Time time) {
        this.store = store;
        this.time = time;
    }

    /** What the store said, and the monotonic time at which it was asked. */
    public record Observation(Found found, long askedAt) {}

    /** What the store has under the key. Waits. */
    Observation ask(String key) throws FileException, InterruptedException {
        ShownNames.checkKey(key);
        Probe probe = running.compute(key, (_, present) -> {
            if (present != null && present.join()) {
                return present;
            }
            return begin(key);
        });
        try {
            return probe.await();
        } catch (StoreException e) {
            throw FileException.ofStore(e);
        }
    }

    private Probe begin(String key) {
        Probe[] self = new Probe[1];
        Probe probe = new Probe(store, key, time.now(), () -> running.remove(key, self[0]));
        self[0] = probe;
        probe.join();
        probe.start();
        return probe;
    }
}
