package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import s3csi.s3.StoreFailure;

class VisitTest {
    private final AttemptFailure failure = new AttemptFailure(
            new StoreFailure.Unreachable(), AttemptFailure.Remedy.UNREACHED, ErrorAnswer.NONE, "nobody answers", null);

    private final Visit visit = new Visit();

    @Test
    void itFailsSinceItsFirstFailure() {
        assertThat(visit.failingSince(7)).isEqualTo(7);
        visit.failed(failure, 100);
        visit.failed(failure, 200);
        assertThat(visit.failingSince(7)).isEqualTo(100);
        assertThat(visit.last()).isEqualTo(failure);
    }

    /** A long read whose connection breaks now and then must not be given up in the first moment of an outage. */
    @Test
    void whatFailedBeforeItGotOnCountsNoLonger() {
        visit.failed(failure, 100);
        visit.progressed();
        assertThat(visit.failingSince(7)).isEqualTo(7);
        assertThat(visit.last()).isNull();

        visit.failed(failure, 300);
        assertThat(visit.failingSince(7)).isEqualTo(300);
    }
}
