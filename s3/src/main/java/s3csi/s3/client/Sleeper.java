package s3csi.s3.client;

import java.time.Duration;

/** Waits; given from outside so that tests of retries need no time. */
public interface Sleeper {
    Sleeper REAL = Thread::sleep;

    void sleep(Duration wait) throws InterruptedException;
}
