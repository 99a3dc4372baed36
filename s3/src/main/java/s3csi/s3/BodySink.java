package s3csi.s3;

import java.lang.foreign.MemorySegment;

/**
 * Where the bytes of a GET go: the caller's own off-heap memory, without a copy in between.
 *
 * <p>All calls come one after the other on the thread that called {@link ObjectStore#get}. A sink may block in
 * {@link #space}: the store then stops reading from the network, and no timeout runs meanwhile.
 *
 * <p>When a connection breaks in the middle of a body, the store fetches the rest and goes on where it was; the sink sees each
 * byte exactly once, in order. What has been received is final only when {@code get} returns: a checksum of the whole object
 * can be judged at the last byte only.
 */
public interface BodySink {
    /** Called once, before the first byte. */
    default void begin(GetAnswer answer) {}

    /**
     * Memory for the next bytes; asked for again only when the segment before is full. It must be native, writable, not empty,
     * smaller than 2 GiB, accessible from the calling thread, and stay alive until {@code get} ends. It may be larger
     * than {@code remaining}; what is not needed is not touched.
     *
     * @param offset the place in the object of the first byte that will be written
     * @param remaining how many bytes of the range are still to come
     */
    MemorySegment space(long offset, long remaining);

    /**
     * The next {@code count} bytes have been written behind those received before.
     *
     * @return false to stop here; {@code get} then returns normally and the rest of the answer is dropped
     */
    boolean received(int count);

    /** A sink that puts the whole range into one segment, which must be large enough. */
    static BodySink into(MemorySegment segment) {
        return new BodySink() {
            @Override
            public MemorySegment space(long offset, long remaining) {
                return segment;
            }

            @Override
            public boolean received(int count) {
                return true;
            }
        };
    }
}
