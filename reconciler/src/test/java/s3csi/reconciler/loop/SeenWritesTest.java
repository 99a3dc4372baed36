package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import s3csi.reconciler.loop.Subject.SinglePod;

class SeenWritesTest {
    private static final Subject SUBJECT = new SinglePod("a");

    private final AtomicLong time = new AtomicLong();
    private final SeenWrites writes = new SeenWrites(time::get);
    private Optional<HasMetadata> cached = Optional.empty();

    private static HasMetadata pod(String uid, String version) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("a")
                .withUid(uid)
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }

    private void shows(String uid, String version) {
        cached = Optional.of(pod(uid, version));
    }

    private boolean areAllSeen() {
        return writes.areAllSeen(SUBJECT);
    }

    @Test
    void whatWasCreatedIsWaitedFor() {
        assertThat(areAllSeen()).isTrue();
        writes.created(SUBJECT, pod("1", "10"), () -> cached);
        assertThat(areAllSeen()).isFalse();
        assertThat(writes.areAllSeen(new SinglePod("b"))).as("others go on").isTrue();
        shows("1", "10");
        assertThat(areAllSeen()).isTrue();
    }

    @Test
    void whatWasChangedIsWaitedForUntilTheCacheIsAsNew() {
        shows("1", "9");
        writes.changed(SUBJECT, pod("1", "10"), () -> cached);
        assertThat(areAllSeen()).isFalse();
        shows("1", "11");
        assertThat(areAllSeen()).isTrue();
    }

    @Test
    void whatWasDeletedIsWaitedForUntilItIsGoneOrAnother() {
        shows("1", "9");
        writes.deleted(SUBJECT, pod("1", "9"), () -> cached);
        assertThat(areAllSeen()).isFalse();
        shows("2", "12");
        assertThat(areAllSeen()).isTrue();
    }

    @Test
    void nothingIsWaitedForThatWasDeletedMeanwhile() {
        writes.created(SUBJECT, pod("1", "10"), () -> cached);
        writes.deleted("1");
        assertThat(areAllSeen()).isTrue();
        shows("1", "9");
        writes.changed(SUBJECT, pod("1", "10"), () -> cached);
        cached = Optional.empty();
        assertThat(areAllSeen()).isTrue();
    }

    @Test
    void nothingIsWaitedForForEver() {
        writes.created(SUBJECT, pod("1", "10"), () -> cached);
        time.addAndGet(SeenWrites.LONGEST.toNanos());
        assertThat(areAllSeen()).isFalse();
        time.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(areAllSeen()).isTrue();
    }
}
