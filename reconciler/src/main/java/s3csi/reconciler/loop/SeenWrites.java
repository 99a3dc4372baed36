package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Which of the reconciler's own writes the cache does not show yet. A cache is always a little behind; who decided on one that does not show
 * the last decision would decide the same again.
 *
 * <p>An expectation ends by itself after half a minute, and when the object was deleted, so that nothing waits for ever for what will never
 * be seen.
 */
final class SeenWrites {
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** @param cached the object as the cache shows it now */
    private record Expected(Supplier<Optional<? extends HasMetadata>> cached, String uid, Change change, long since) {}

    private sealed interface Change {
        record Written(String resourceVersion, boolean isNew) implements Change {}

        record Deleted(String resourceVersion) implements Change {}
    }

    private final LongSupplier nanoTime;

    /** Guarded by itself. */
    private final Map<Subject, Set<Expected>> expected = new HashMap<>();

    SeenWrites(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void created(Subject subject, HasMetadata object, Supplier<Optional<? extends HasMetadata>> cached) {
        expect(subject, object, cached, new Change.Written(object.getMetadata().getResourceVersion(), true));
    }

    void changed(Subject subject, HasMetadata object, Supplier<Optional<? extends HasMetadata>> cached) {
        expect(subject, object, cached, new Change.Written(object.getMetadata().getResourceVersion(), false));
    }

    /** @param object as it was before */
    void deleted(Subject subject, HasMetadata object, Supplier<Optional<? extends HasMetadata>> cached) {
        expect(subject, object, cached, new Change.Deleted(object.getMetadata().getResourceVersion()));
    }

    private void expect(
            Subject subject, HasMetadata object, Supplier<Optional<? extends HasMetadata>> cached, Change change) {
        synchronized (expected) {
            expected.computeIfAbsent(subject, _ -> new HashSet<>())
                    .add(new Expected(cached, object.getMetadata().getUid(), change, nanoTime.getAsLong()));
        }
    }

    /** The cache has heard that this object is gone; whatever was expected of it will not be seen. */
    void deleted(String uid) {
        synchronized (expected) {
            expected.values().forEach(set -> set.removeIf(one -> one.uid().equals(uid)));
        }
    }

    /** Whether the cache shows all that was written about a subject, or should have long ago. */
    boolean areAllSeen(Subject subject) {
        synchronized (expected) {
            Set<Expected> pending = expected.get(subject);
            if (pending == null) {
                return true;
            }
            long now = nanoTime.getAsLong();
            pending.removeIf(one -> now - one.since() > LONGEST.toNanos() || isSeen(one));
            if (pending.isEmpty()) {
                expected.remove(subject);
            }
            return pending.isEmpty();
        }
    }

    private static boolean isSeen(Expected one) {
        Optional<? extends HasMetadata> cached = one.cached().get();
        boolean isThere = cached.isPresent()
                && one.uid().equals(cached.get().getMetadata().getUid());
        return switch (one.change()) {
            case Change.Written(String version, boolean isNew) ->
                isThere ? isNotBefore(cached.get().getMetadata().getResourceVersion(), version) : !isNew;
            case Change.Deleted(String version) ->
                !isThere || !version.equals(cached.get().getMetadata().getResourceVersion());
        };
    }

    /** Versions are numbers that grow. One that is no number tells nothing, and is taken for new: a write that is based on it is refused. */
    private static boolean isNotBefore(String cached, String written) {
        try {
            return Long.parseUnsignedLong(cached) - Long.parseUnsignedLong(written) >= 0;
        } catch (NumberFormatException e) {
            return true;
        }
    }
}
