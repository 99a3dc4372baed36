package s3csi.filesystem.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import s3csi.fuse.Operation;
import s3csi.fuse.Reply;
import s3csi.s3.testing.Fault;

/** A request whose answer is kept for the test. */
abstract class RecordedReply implements Reply {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final AtomicLong NUMBERS = new AtomicLong(1);

    private final long unique = NUMBERS.getAndIncrement();
    private final Operation operation;
    private final Thread caller = Thread.currentThread();
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile int errno;
    private volatile @Nullable Throwable fault;
    private volatile boolean inline = true;
    private @Nullable Runnable onCancel;
    private boolean cancelled;
    private boolean gone;

    RecordedReply(Operation operation) {
        this.operation = operation;
    }

    @Override
    public final long unique() {
        return unique;
    }

    @Override
    public final boolean isResent() {
        return false;
    }

    @Override
    public final Operation operation() {
        return operation;
    }

    @Override
    public final int uid() {
        return 0;
    }

    @Override
    public final int gid() {
        return 0;
    }

    @Override
    public final int pid() {
        return 0;
    }

    /** Says that the answer is there; false if the request was given up before. */
    final synchronized boolean settle() {
        if (gone) {
            return false;
        }
        if (answered.getCount() == 0) {
            throw new IllegalStateException("answered twice: " + operation);
        }
        inline = Thread.currentThread().equals(caller);
        answered.countDown();
        return true;
    }

    @Override
    public final void error(int number) {
        errno = number;
        settle();
    }

    @Override
    public final synchronized void failed(Throwable cause) {
        if (answered.getCount() > 0) {
            fault = cause;
            errno = s3csi.linux.Errno.EIO;
            answered.countDown();
        }
    }

    @Override
    public final synchronized boolean abandon(int number) {
        if (answered.getCount() == 0) {
            return false;
        }
        errno = number;
        answered.countDown();
        gone = true;
        return true;
    }

    @Override
    public final boolean isAnswered() {
        return answered.getCount() == 0;
    }

    @Override
    public final synchronized boolean isCancelled() {
        return cancelled;
    }

    @Override
    public final void onCancel(Runnable action) {
        synchronized (this) {
            onCancel = action;
            if (!cancelled) {
                return;
            }
        }
        action.run();
    }

    @Override
    public final void answerBy(Runnable work) {
        Thread thread = Thread.ofVirtual().name(operation().label()).unstarted(work);
        onCancel(thread::interrupt);
        thread.start();
    }

    /** What happens when the caller is killed. */
    final void interrupt() {
        Runnable action;
        synchronized (this) {
            cancelled = true;
            action = onCancel;
        }
        if (action != null) {
            action.run();
        }
    }

    /** Whether it was answered by the thread that asked. */
    final boolean wasInline() {
        return inline;
    }

    /** Waits for the answer and throws what a program would see. */
    final void await() {
        try {
            if (!answered.await(LONG.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("no answer to " + operation + " within " + LONG);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the test was interrupted", e);
        }
        if (fault != null && !fault.equals(Fault.ON_PURPOSE)) {
            throw new AssertionError(operation + " failed by a fault", fault);
        }
        if (errno != 0) {
            throw new ErrnoException(errno);
        }
    }
}
