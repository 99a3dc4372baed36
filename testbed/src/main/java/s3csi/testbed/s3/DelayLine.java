package s3csi.testbed.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A longer wire: what is written comes out in order and as fast, but later. Sleeping before each write would make the wire
 * narrow too, so bytes wait in a queue with the time at which they are due.
 */
final class DelayLine extends OutputStream {
    /** Of chunks of at most 64 KiB: far more than loopback carries in any delay we inject. */
    private static final int CHUNKS = 4096;

    private static final class Chunk {
        private final long due;
        private final byte[] bytes;

        Chunk(long due, byte[] bytes) {
            this.due = due;
            this.bytes = bytes;
        }
    }

    private static final byte[] END = {};

    private final BlockingQueue<Chunk> queue = new ArrayBlockingQueue<>(CHUNKS);
    private final OutputStream out;
    private final long delay;
    private final Thread carrier;
    private volatile @Nullable IOException failure;

    DelayLine(OutputStream out, Duration delay) {
        this.out = out;
        this.delay = delay.toNanos();
        this.carrier = Thread.ofVirtual().name("delay-line").start(this::carry);
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        if (count > 0) {
            send(Arrays.copyOfRange(bytes, from, from + count));
        }
    }

    /** Returns when all has come out. */
    @Override
    public void close() throws IOException {
        if (failure == null) {
            send(END);
        }
        try {
            carrier.join();
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
        IOException broken = failure;
        if (broken != null) {
            throw broken;
        }
    }

    private void send(byte[] bytes) throws IOException {
        IOException broken = failure;
        if (broken != null) {
            throw broken;
        }
        var chunk = new Chunk(System.nanoTime() + delay, bytes);
        try {
            // The far end may break while the queue is full: then nobody empties it any more.
            while (!queue.offer(chunk, 100, TimeUnit.MILLISECONDS)) {
                if (failure != null) {
                    throw failure;
                }
            }
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private void carry() {
        try {
            for (Chunk chunk = queue.take(); chunk.bytes.length > 0; chunk = queue.take()) {
                TimeUnit.NANOSECONDS.sleep(chunk.due - System.nanoTime());
                out.write(chunk.bytes);
            }
        } catch (IOException broken) {
            failure = broken;
        } catch (InterruptedException interrupted) {
            failure = interrupted(interrupted);
        }
    }

    private static IOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        var failure = new InterruptedIOException("interrupted while delaying bytes");
        failure.initCause(cause);
        return failure;
    }
}
