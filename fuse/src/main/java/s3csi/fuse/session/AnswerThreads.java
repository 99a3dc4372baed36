package s3csi.fuse.session;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import s3csi.fuse.Operation;

/**
 * The virtual threads that answer requests which have to wait. Each takes some kilobytes of the heap, with all that it waits for, and there
 * are as many requests as programs have threads; so only some run at a time, and others wait for those before them, as little more than
 * the request itself. Where memory answers at once no thread is needed, so that goes on.
 *
 * <p>Requests that wait for different things do not wait for each other: a write may need the memory that a close gives back.
 */
final class AnswerThreads {
    private final Lane names;
    private final Lane reads;
    private final Lane writes;
    private final Lane stores;

    /** @param most how many threads each kind of request may have */
    AnswerThreads(int most) {
        this.names = new Lane(most);
        this.reads = new Lane(most);
        // A write waits for memory that others have, and not for long once there are so many; they need little
        // themselves.
        this.writes = new Lane(2 * most);
        this.stores = new Lane(most);
    }

    /** Runs the work that ends in the answer, soon or when there is room; it is interrupted if the request is cancelled. */
    void run(LaterAnswer answer, Runnable work) {
        lane(answer.operation()).run(answer, work);
    }

    private Lane lane(Operation operation) {
        return switch (operation) {
            case READ -> reads;
            case WRITE -> writes;
            case FLUSH, FSYNC, RELEASE -> stores;
            default -> names;
        };
    }

    private static final class Lane {
        private final int most;

        // Guarded by this.
        private final Map<LaterAnswer, Thread> waiting = new LinkedHashMap<>();
        private int running;

        Lane(int most) {
            this.most = most;
        }

        void run(LaterAnswer answer, Runnable work) {
            Thread thread = Thread.ofVirtual().name(answer.operation().label()).unstarted(() -> {
                try {
                    work.run();
                } finally {
                    ended();
                }
            });
            answer.onCancel(() -> {
                startCancelled(answer);
                thread.interrupt();
            });
            boolean mustWait;
            synchronized (this) {
                mustWait = running >= most;
                if (mustWait) {
                    waiting.put(answer, thread);
                } else {
                    running++;
                }
            }
            if (!mustWait) {
                start(thread);
            } else if (answer.isCancelled()) {
                // It may have been before there was anything to start.
                startCancelled(answer);
            }
        }

        /** What is cancelled ends soon, and somebody may wait for that. */
        private void startCancelled(LaterAnswer answer) {
            Thread thread;
            synchronized (this) {
                thread = waiting.remove(answer);
                if (thread == null) {
                    return;
                }
                running++;
            }
            start(thread);
        }

        private void start(Thread thread) {
            boolean hasStarted = false;
            try {
                thread.start();
                hasStarted = true;
            } finally {
                if (!hasStarted) {
                    synchronized (this) {
                        running--;
                    }
                }
            }
        }

        private void ended() {
            synchronized (this) {
                running--;
            }
            for (Map.Entry<LaterAnswer, Thread> next = next(); next != null; next = next()) {
                try {
                    start(next.getValue());
                } catch (RuntimeException | Error e) {
                    next.getKey().failed(e);
                }
            }
        }

        private synchronized Map.@Nullable Entry<LaterAnswer, Thread> next() {
            if (running >= most || waiting.isEmpty()) {
                return null;
            }
            Map.Entry<LaterAnswer, Thread> first = waiting.entrySet().iterator().next();
            waiting.remove(first.getKey());
            running++;
            return first;
        }
    }
}
