package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReadersTest extends ReaderFixture {
    @Test
    void aPrefetchThatHadToStandBackIsNotCounted() {
        int most = readers.settings().maxPrefetches();
        for (int i = 0; i < most; i++) {
            assertThat(readers.beginPrefetch()).isTrue();
        }
        for (int i = 0; i < 10; i++) {
            assertThat(readers.beginPrefetch()).isFalse();
        }
        readers.endPrefetch();
        assertThat(readers.beginPrefetch()).isTrue();
        for (int i = 0; i < most; i++) {
            readers.endPrefetch();
        }
    }
}
