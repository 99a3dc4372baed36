package s3csi.filesystem.read;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.Buffer;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.memory.Reservation;

/** The memory of one fetch: what somebody waits for, and what is fetched ahead. Owned by the thread of the fetch. */
final class Memory implements AutoCloseable {
    private final @Nullable Reservation needed;
    private final @Nullable Reservation ahead;

    private Memory(@Nullable Reservation needed, @Nullable Reservation ahead) {
        this.needed = needed;
        this.ahead = ahead;
    }

    /** For a prefetch; null if there is none to spare. */
    static @Nullable Memory ahead(BufferPool pool, long bytes) {
        Reservation reservation = reserve(pool, Priority.PREFETCH, BufferPool.buffersFor(bytes));
        return reservation == null ? null : new Memory(null, reservation);
    }

    /** For bytes that somebody waits for and, if {@code total} is more, for bytes behind them; null if there is not enough for all. */
    static @Nullable Memory needed(BufferPool pool, long bytes, long total) {
        int first = BufferPool.buffersFor(bytes);
        int more = BufferPool.buffersFor(total) - first;
        Reservation ahead = null;
        if (more > 0) {
            ahead = reserve(pool, Priority.PREFETCH, more);
            if (ahead == null) {
                return null;
            }
        }
        Reservation needed = reserve(pool, Priority.FOREGROUND_READ, first);
        if (needed == null) {
            if (ahead != null) {
                ahead.close();
            }
            return null;
        }
        return new Memory(needed, ahead);
    }

    private static @Nullable Reservation reserve(BufferPool pool, Priority priority, int buffers) {
        boolean possible = (long) buffers * BufferPool.BUFFER_SIZE <= pool.largestReservation(priority);
        return possible ? pool.tryReserve(priority, buffers) : null;
    }

    Buffer take() {
        if (needed != null && needed.left() > 0) {
            return needed.take();
        }
        if (ahead != null) {
            return ahead.take();
        }
        throw new IllegalStateException("a fetch got more bytes than it asked for");
    }

    @Override
    public void close() {
        if (needed != null) {
            needed.close();
        }
        if (ahead != null) {
            ahead.close();
        }
    }
}
