package s3csi.filesystem.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.Eventually;

class TurnsTest {
    private static final Turns.Holder BUSY = () -> {};

    @Test
    void thoseWhoWaitComeInTheirOrder() throws InterruptedException {
        Turns turns = new Turns(1);
        turns.take(BUSY);
        List<Integer> order = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            Thread waiting = Thread.ofVirtual().unstarted(() -> {
                Turns.Holder holder = new Turns.Holder() {
                    @Override
                    public void giveBackIfIdle() {
                        // Never is.
                    }
                };
                try {
                    turns.take(holder);
                    order.add(number);
                    turns.giveBack(holder);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            int before = turns.waiting();
            waiting.start();
            Eventually.that(() -> turns.waiting() > before);
        }
        assertThat(turns.hasWaiting()).isTrue();

        turns.giveBack(BUSY);

        Eventually.that(() -> order.size() == 3);
        assertThat(order).containsExactly(0, 1, 2);
        Eventually.that(() -> !turns.hasWaiting());
        turns.take(BUSY);
    }

    @Test
    void oneThatIsIdleGivesItsTurnAway() throws InterruptedException {
        Turns turns = new Turns(1);
        AtomicInteger asked = new AtomicInteger();
        Turns.Holder idle = new Turns.Holder() {
            @Override
            public void giveBackIfIdle() {
                asked.incrementAndGet();
                turns.giveBack(this);
            }
        };
        turns.take(idle);

        turns.take(BUSY);

        assertThat(asked).hasPositiveValue();
        // Given back before, which is nothing to do again.
        turns.giveBack(idle);
        assertThat(turns.hasWaiting()).isFalse();
    }

    @Test
    void whoGivesUpWaitingLosesNobodysTurn() throws InterruptedException {
        Turns turns = new Turns(1);
        turns.take(BUSY);
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                turns.take(() -> {});
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Eventually.that(turns::hasWaiting);
        waiting.interrupt();
        waiting.join();

        turns.giveBack(BUSY);

        turns.take(BUSY);
    }
}
