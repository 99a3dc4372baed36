package s3csi.filesystem.read;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.Buffer;
import s3csi.filesystem.memory.BufferPool;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/**
 * Consecutive bytes of the object that are in memory or on their way: one GET.
 *
 * <p>All the memory it needs is reserved before it starts, so a fetch under way waits for the network only. Bytes are readable as they arrive.
 * An exception are fetches of whole objects, whose checksum is judged at the end: small ones are readable when they are
 * complete, of larger ones the last buffer is, so that nobody reads to the end of bytes that are wrong.
 *
 * <p>The thread that runs it fills buffers; everything else is guarded by the lock of the reader. Data is dropped from the front, buffer
 * by buffer, or as a whole.
 */
final class Fetch implements BodySink, Runnable {
    private static final int BUFFER = BufferPool.BUFFER_SIZE;
    /** Whole objects up to this size are verified before the first byte is read: it hardly takes longer. */
    private static final long VERIFIED_FIRST = 1 << 20;

    private final ObjectReader reader;
    private final Memory memory;
    private final @Nullable CachedBlocks blocks;
    private final boolean onDisk;
    /** Whether it was begun because an application waits for its bytes. */
    private final boolean demanded;

    private final boolean whole;
    private final @Nullable Buffer[] buffers;
    private final Condition progress;
    private final long start;

    private long end;
    private long kept;
    private long received;
    private boolean running = true;
    private boolean dropped;
    private @Nullable Throwable failure;
    private @Nullable Thread thread;
    private int waiters;
    private long wakeAt = Long.MAX_VALUE;
    private @Nullable BlockCollector collector;
    private long startedNanos;
    private long firstByteNanos;

    /**
     * @param blocks where the blocks of the object may be read from and kept; null without a cache
     * @param onDisk whether all of the range should be there
     */
    Fetch(
            ObjectReader reader,
            ByteRange range,
            Memory memory,
            boolean demanded,
            @Nullable CachedBlocks blocks,
            boolean onDisk) {
        this.reader = reader;
        this.memory = memory;
        this.demanded = demanded;
        this.blocks = blocks;
        this.onDisk = onDisk;
        start = range.offset();
        end = range.end();
        kept = start;
        received = start;
        whole = range.length() == reader.version().size();
        buffers = new Buffer[BufferPool.buffersFor(range.length())];
        progress = reader.newCondition();
    }

    long end() {
        return end;
    }

    /** The first byte that was not dropped. */
    long kept() {
        return kept;
    }

    boolean covers(long offset) {
        return kept <= offset && offset < end;
    }

    /** The end of the bytes that may be read now. */
    long readable() {
        if (!whole || !running) {
            return received;
        }
        long held = end <= VERIFIED_FIRST ? start : end - BUFFER;
        return Math.min(received, held);
    }

    boolean isRunning() {
        return running;
    }

    boolean isIdle() {
        return waiters == 0;
    }

    /**
     * Why it ended before {@code position}; null if it did not, or if it was a prefetch: who waited for that tries again
     * by itself.
     */
    @Nullable
    Throwable failureBefore(long position) {
        return demanded && end < position ? failure : null;
    }

    // ---- by readers, under their lock

    /** Adds what is readable of {@code [from, to)}, which must begin in here; returns where that ends. */
    long pin(long from, long to, Pins pins) {
        long limit = Math.min(to, readable());
        long at = from;
        while (at < limit) {
            int index = (int) ((at - start) / BUFFER);
            int within = (int) ((at - start) % BUFFER);
            int count = (int) Math.min(limit - at, BUFFER - within);
            Buffer buffer = buffers[index];
            if (buffer == null) {
                throw new IllegalStateException("bytes that were received are not in memory");
            }
            pins.add(buffer, within, count);
            at += count;
        }
        return at;
    }

    /** Waits until the bytes up to {@code position} can be read, or the fetch ends. The lock is free meanwhile. */
    void await(long position) throws InterruptedException {
        waiters++;
        try {
            while (running && readable() < position) {
                wakeAt = Math.min(wakeAt, position);
                progress.await();
            }
        } finally {
            waiters--;
        }
    }

    /** Gives back whole buffers that end at or before {@code position}. */
    void dropBefore(long position) {
        long limit = Math.min(position, running ? received : end);
        while (kept < limit) {
            int index = (int) ((kept - start) / BUFFER);
            long bufferEnd = Math.min(start + (index + 1L) * BUFFER, end);
            if (bufferEnd > limit) {
                return;
            }
            release(index);
            kept = bufferEnd;
        }
    }

    /** Ends it and gives everything back, at once or when the thread that fills it has let go. */
    void drop() {
        dropped = true;
        if (!running) {
            releaseAll();
        } else if (thread != null) {
            thread.interrupt();
        }
    }

    // ---- running

    /** On a thread of its own, which ends with the fetch. */
    void startInBackground() {
        thread = Thread.ofVirtual().name("fetch").unstarted(this);
        thread.start();
    }

    @Override
    public void run() {
        startedNanos = System.nanoTime();
        Throwable problem = null;
        try {
            if (blocks != null && onDisk) {
                readBlocks(blocks);
            }
            if (received < end && !isDropped()) {
                getRest();
            }
        } catch (StoreException | RuntimeException | Error e) {
            problem = e;
        }
        finish(problem);
    }

    private void getRest() throws StoreException {
        if (blocks != null) {
            collector = blocks.collector(received, whole);
        }
        ObjectVersion version = reader.version();
        ByteRange rest = ByteRange.between(received, end);
        reader.store().get(version.get(rest), this);
        if (received < end && !isDropped()) {
            throw version.missingBytes();
        }
    }

    /** Block by block, up to the first that is not as good as it should be. */
    private void readBlocks(CachedBlocks cached) {
        boolean good = true;
        while (good && received < end && !isDropped()) {
            long offset = received;
            int length = cached.lengthAt(offset);
            List<Buffer> target = new ArrayList<>();
            for (long at = offset; at < offset + length; at += BUFFER) {
                target.add(bufferAt(at));
            }
            good = cached.read(offset, target);
            if (good) {
                received(length);
            }
        }
    }

    @Override
    public MemorySegment space(long offset, long remaining) {
        Buffer buffer = bufferAt(offset);
        if (collector != null) {
            collector.add(buffer);
        }
        return buffer.memory();
    }

    /** The buffer for the bytes from there on: a new one, unless the disk should have filled it and did not. */
    private Buffer bufferAt(long offset) {
        int index = (int) ((offset - start) / BUFFER);
        reader.lock();
        try {
            Buffer buffer = buffers[index];
            if (buffer == null) {
                buffer = memory.take();
                buffers[index] = buffer;
            }
            return buffer;
        } finally {
            reader.unlock();
        }
    }

    @Override
    public boolean received(int count) {
        reader.lock();
        try {
            if (received == start) {
                firstByteNanos = System.nanoTime();
            }
            received += count;
            if (readable() >= wakeAt) {
                wake();
            }
            if (dropped) {
                return false;
            }
        } finally {
            reader.unlock();
        }
        if (collector != null) {
            collector.received(received);
        }
        return true;
    }

    private void finish(@Nullable Throwable problem) {
        if (collector != null) {
            boolean good = problem == null && received == end;
            collector.ended(good ? end : start);
        }
        if (problem == null && received == end && !onDisk) {
            reader.readers()
                    .transfers()
                    .add(end - start, firstByteNanos - startedNanos, System.nanoTime() - firstByteNanos);
        }
        memory.close();
        reader.lock();
        try {
            running = false;
            failure = problem;
            if (problem != null) {
                // What arrived before is good, unless it is known to be bad.
                boolean wrong = problem instanceof StoreException e && e.failure() instanceof StoreFailure.Integrity;
                end = wrong ? start : received;
                dropped |= wrong;
                releaseFrom(BufferPool.buffersFor(end - start));
            }
            if (dropped) {
                releaseAll();
            }
            wake();
            reader.fetchEnded(this);
        } finally {
            reader.unlock();
        }
        reader.readers().fetchEnded(demanded);
    }

    private boolean isDropped() {
        reader.lock();
        try {
            return dropped;
        } finally {
            reader.unlock();
        }
    }

    private void wake() {
        wakeAt = Long.MAX_VALUE;
        progress.signalAll();
    }

    private void releaseAll() {
        releaseFrom(0);
        kept = end;
    }

    private void releaseFrom(int index) {
        for (int i = index; i < buffers.length; i++) {
            release(i);
        }
    }

    private void release(int index) {
        Buffer buffer = buffers[index];
        if (buffer != null) {
            buffers[index] = null;
            buffer.release();
        }
    }
}
