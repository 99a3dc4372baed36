package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CleanerTest {
    /** It runs on a thread of its own, whose end nobody would notice. */
    @Test
    void aLookThatFailsEndsNeitherTheOthersNorTheNext() {
        AtomicInteger looked = new AtomicInteger();
        Cleaner cleaner = new Cleaner(List.of(
                () -> {
                    throw new IllegalStateException("as if");
                },
                looked::incrementAndGet));

        cleaner.look();
        cleaner.look();

        assertThat(looked).hasValue(2);
    }
}
