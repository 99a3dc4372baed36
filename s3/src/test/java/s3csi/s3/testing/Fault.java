package s3csi.s3.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import s3csi.s3.StoreFailure;

/** What a {@link FaultyObjectStore} does to a request. */
public sealed interface Fault {
    /** The request is not made and fails. */
    record Fail(StoreFailure failure) implements Fault {}

    /** A GET delivers this many bytes, then fails. */
    record FailAfter(long bytes, StoreFailure failure) implements Fault {}

    /** A GET delivers this many bytes, then nothing until its caller gives it up; {@code reached} tells the test that it does. */
    record StallAfter(long bytes, CountDownLatch reached) implements Fault {}

    /** The request takes effect, and its answer is lost. */
    record LoseAnswer(StoreFailure failure) implements Fault {}

    /** The request ends with {@link #ON_PURPOSE}, a fault of the program. */
    record Crash() implements Fault {}

    Error ON_PURPOSE = new StackOverflowError("on purpose");

    /** The request is made after a pause. */
    record Delay(Duration pause) implements Fault {}

    /** The request waits until the test lets it go; {@code reached} tells the test that it is there. */
    record Hold(CountDownLatch reached, CountDownLatch released) implements Fault {
        public static Hold once() {
            return new Hold(new CountDownLatch(1), new CountDownLatch(1));
        }
    }
}
