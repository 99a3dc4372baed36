package s3csi.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
    private final AtomicLong time = new AtomicLong();
    private final WorkQueue<String> queue = new WorkQueue<>(time::get);

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }

    @Test
    void whatIsAskedForTwiceIsDoneOnce() throws InterruptedException {
        queue.add("a");
        queue.add("b");
        queue.add("a");
        assertThat(queue.take()).isEqualTo("a");
        assertThat(queue.take()).isEqualTo("b");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void whatIsAskedForWhileItIsDoneComesAgainAfterwards() throws InterruptedException {
        queue.add("a");
        assertThat(queue.take()).isEqualTo("a");
        queue.add("a");
        assertThat(queue.depth()).as("not for another thread").isZero();
        queue.done("a");
        assertThat(queue.take()).isEqualTo("a");
        queue.done("a");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void whatIsForLaterComesWhenItIsTimeOrWhenItIsAskedFor() throws InterruptedException {
        queue.addAfter("late", Duration.ofSeconds(20));
        queue.addAfter("early", Duration.ofSeconds(10));
        queue.addAfter("asked for", Duration.ofSeconds(30));
        queue.add("asked for");
        assertThat(queue.take()).isEqualTo("asked for");
        pass(Duration.ofSeconds(40));
        assertThat(queue.take()).isEqualTo("early");
        assertThat(queue.take()).isEqualTo("late");
        queue.add("last");
        assertThat(queue.take()).as("what was asked for does not come twice").isEqualTo("last");
    }

    @Test
    void theEarlierOfTwoTimesCounts() throws InterruptedException {
        queue.addAfter("a", Duration.ofSeconds(30));
        queue.addAfter("a", Duration.ofSeconds(10));
        queue.addAfter("a", Duration.ofSeconds(20));
        pass(Duration.ofSeconds(10));
        assertThat(queue.take()).isEqualTo("a");
        queue.done("a");
        pass(Duration.ofMinutes(1));
        queue.add("b");
        assertThat(queue.take()).isEqualTo("b");
    }

    @Test
    void whatComesDueWhileItIsDoneComesAgainAfterwards() throws InterruptedException {
        queue.add("a");
        assertThat(queue.take()).isEqualTo("a");
        queue.addAfter("a", Duration.ofSeconds(1));
        pass(Duration.ofSeconds(2));
        queue.add("b");
        assertThat(queue.take()).isEqualTo("b");
        assertThat(queue.depth()).as("not for another thread").isZero();
        queue.done("a");
        assertThat(queue.take()).isEqualTo("a");
    }

    @Test
    void itsAgeIsThatOfTheOldestThatWaitsOrIsDone() throws InterruptedException {
        assertThat(queue.age()).isZero();
        queue.add("a");
        pass(Duration.ofSeconds(3));
        assertThat(queue.age()).isEqualTo(Duration.ofSeconds(3));
        assertThat(queue.longestWork()).isZero();
        assertThat(queue.take()).isEqualTo("a");
        pass(Duration.ofSeconds(5));
        queue.add("b");
        assertThat(queue.age()).isEqualTo(Duration.ofSeconds(5));
        assertThat(queue.longestWork()).isEqualTo(Duration.ofSeconds(5));
        queue.done("a");
        assertThat(queue.age()).isZero();
        assertThat(queue.longestWork()).isZero();
    }
}
