package s3csi.filesystem.memory;

/** The right to some buffers, all of which are sure to be there. It has one owner at a time and is not for several threads at once. */
public final class Reservation implements AutoCloseable {
    private final BufferPool pool;
    private final Priority priority;
    private int left;

    Reservation(BufferPool pool, Priority priority, int buffers) {
        this.pool = pool;
        this.priority = priority;
        this.left = buffers;
    }

    /** The buffers not taken yet. */
    public int left() {
        return left;
    }

    /** A buffer with one reference; it lives on when the reservation is closed. */
    public Buffer take() {
        if (left == 0) {
            throw new IllegalStateException("more buffers taken than reserved");
        }
        left--;
        return pool.take(priority);
    }

    /** Gives back what was not taken. */
    @Override
    public void close() {
        int rest = left;
        left = 0;
        if (rest > 0) {
            pool.giveBack(rest, priority);
        }
    }
}
