package s3csi.filesystem.inode;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.memory.BufferPool;
import s3csi.fuse.Notifications;

/**
 * Keeps what the kernel knows of files within the memory there is for it: the kernel refers to every file that it has seen and not
 * forgotten, and for that we keep its number. When names have nearly all the memory that is theirs, the kernel is told to forget those
 * that it has not asked about for longest.
 *
 * <p>A notification may wait in the kernel for a request under way, so they are sent by a thread of their own.
 */
public final class KernelMemory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KernelMemory.class);

    /** How long the answers to one notification are waited for, and how long it takes until the kernel is told once more. */
    private static final long MOST_MILLIS = 50;

    private final InodeTable table;

    /** Below this the kernel is left alone again. */
    private final long enough;

    // Guarded by this.
    private @Nullable Thread thread;
    private boolean closed;

    /** Written under the monitor, and looked at first without it. */
    private volatile boolean isNeeded;

    private boolean canPrune = true;

    /** A file or directory that the kernel knows. */
    record Known(long number, long parent, String name, boolean isDirectory) {}

    public KernelMemory(InodeTable table, BufferPool pool) {
        this.table = table;
        // A program that looks at a large directory reads many names before it looks at the first: there is room for
        // one such
        // batch, and for the next while the kernel forgets the one before.
        this.enough = pool.mostForNames() / 2;
        table.onCrowded(this::look);
    }

    /** The kernel can be told from now on. */
    public synchronized void start(Notifications notifications) {
        if (thread == null && !closed) {
            thread = Thread.ofPlatform().name("forget").daemon().start(() -> run(notifications));
        }
    }

    private void look() {
        if (!isNeeded) {
            synchronized (this) {
                isNeeded = true;
                notifyAll();
            }
        }
    }

    private void run(Notifications notifications) {
        boolean goesOn = true;
        while (goesOn) {
            try {
                goesOn = awaitNeed();
                if (goesOn) {
                    forgetTheOldest(notifications);
                }
            } catch (InterruptedException e) {
                // The mount has ended.
                goesOn = false;
            } catch (IOException | RuntimeException | Error e) {
                LOG.warn("the kernel could not be told to forget names: {}", e.toString());
            }
        }
    }

    /** False at the end. */
    private synchronized boolean awaitNeed() throws InterruptedException {
        while (!isNeeded && !closed) {
            wait();
        }
        isNeeded = false;
        return !closed;
    }

    private void forgetTheOldest(Notifications notifications) throws IOException, InterruptedException {
        List<Known> batch = table.toForget(Notifications.MOST_PRUNED, enough);
        while (!batch.isEmpty()) {
            int before = table.size();
            tell(batch, notifications);
            // Else we would be far ahead of the answers, and have it forget more than it must.
            for (int i = 0; i < MOST_MILLIS && table.size() > before - batch.size() / 2; i++) {
                Thread.sleep(1);
            }
            while (table.restMore()) {
                // In small steps, as requests wait for the table meanwhile.
            }
            batch = table.toForget(Notifications.MOST_PRUNED, enough);
        }
        // What is left may be in use, and is named again later.
        Thread.sleep(MOST_MILLIS);
    }

    private void tell(List<Known> batch, Notifications notifications) throws IOException {
        if (canPrune) {
            canPrune =
                    notifications.prune(batch.stream().mapToLong(Known::number).toArray());
        }
        if (!canPrune) {
            for (Known each : batch) {
                // A directory may be where somebody works, and would look deleted to them.
                if (!each.isDirectory()) {
                    notifications.invalidateEntry(each.parent(), each.name());
                }
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        table.clearResting();
    }
}
