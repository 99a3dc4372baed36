package s3csi.filesystem.write;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.failure.FileException;

/** Work that goes on when whoever waits for it is interrupted. */
final class Completion implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Completion.class);

    private final Work work;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Throwable problem;
    private volatile boolean abandoned;

    private Completion(Work work) {
        this.work = work;
    }

    interface Work {
        void run() throws FileException;
    }

    /** Runs the work on a virtual thread of its own and waits for it. */
    static void await(Work work) throws FileException, InterruptedException {
        Completion completion = new Completion(work);
        Thread.ofVirtual().name("store-file").start(completion);
        try {
            completion.done.await();
        } catch (InterruptedException e) {
            completion.abandoned = true;
            throw e;
        }
        Throwable problem = completion.problem;
        switch (problem) {
            case null -> {}
            case FileException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException("storing a file failed unexpectedly", problem);
        }
    }

    @Override
    public void run() {
        try {
            work.run();
        } catch (Throwable e) {
            problem = e;
            if (abandoned) {
                LOG.error(
                        "a file could not be stored, and the program that closed it had stopped waiting: {}",
                        e.getMessage());
            }
        } finally {
            done.countDown();
        }
    }
}
