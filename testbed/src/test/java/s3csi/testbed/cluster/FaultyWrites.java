package s3csi.testbed.cluster;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.Supplier;
import s3csi.kubernetes.PodAttachment;
import s3csi.reconciler.loop.ClusterWrites;

/** Writes to the API server that go wrong as a plan says. */
final class FaultyWrites implements ClusterWrites {
    /** What becomes of a write. */
    enum Fate {
        DONE,
        /** It is refused with 409, as if another had come first. */
        CONFLICT,
        /** It is refused with 429. */
        BUSY,
        /** It is done, and the answer does not arrive. */
        ANSWER_LOST,
        /** The controller ends before it. */
        KILLED
    }

    private final ClusterWrites writes;
    private final Supplier<Fate> plan;
    private volatile boolean isKilled;

    FaultyWrites(ClusterWrites writes, Supplier<Fate> plan) {
        this.writes = writes;
        this.plan = plan;
    }

    private <T> T take(Supplier<T> write) {
        if (isKilled) {
            throw new IllegalStateException("killed");
        }
        return switch (plan.get()) {
            case DONE -> write.get();
            case CONFLICT -> throw refusal(409);
            case BUSY -> throw refusal(429);
            case ANSWER_LOST -> {
                T _ = write.get();
                throw new KubernetesClientException("the answer was lost");
            }
            case KILLED -> {
                isKilled = true;
                throw new IllegalStateException("killed");
            }
        };
    }

    boolean isKilled() {
        return isKilled;
    }

    private static KubernetesClientException refusal(int code) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage("made to fail").build());
    }

    @Override
    public Pod create(Pod mountpointPod) {
        return take(() -> writes.create(mountpointPod));
    }

    @Override
    public PodAttachment create(PodAttachment attachment) {
        return take(() -> writes.create(attachment));
    }

    @Override
    public PodAttachment update(PodAttachment changed) {
        return take(() -> writes.update(changed));
    }

    @Override
    public void delete(PodAttachment seen) {
        boolean _ = take(() -> {
            writes.delete(seen);
            return true;
        });
    }

    @Override
    public Optional<Pod> annotate(Pod seen, String key, String value) {
        return take(() -> writes.annotate(seen, key, value));
    }

    @Override
    public void delete(Pod seen) {
        boolean _ = take(() -> {
            writes.delete(seen);
            return true;
        });
    }

    /** What is told goes wrong or not, it changes nothing. */
    @Override
    public void announce(Event event) {
        writes.announce(event);
    }
}
