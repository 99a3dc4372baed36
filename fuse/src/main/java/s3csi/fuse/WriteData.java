package s3csi.fuse;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a WRITE, where the kernel put them.
 *
 * <p>They are valid until the handler returns. A handler that needs them longer calls {@link #keep} before it returns: then
 * the device thread goes on with another buffer, and this one comes back by {@link Kept#close}.
 */
public interface WriteData {
    /** How many bytes there are. */
    int size();

    /** The bytes; a view of the request buffer, without a copy. */
    MemorySegment bytes();

    /**
     * Takes the bytes over, at most once. Never waits: the buffer itself changes hands while the session has spare ones, else the bytes are copied. What
     * is kept at one time is bounded by the writers themselves, as each waits for its answer; see
     * {@link s3csi.fuse.session.SessionCounters#keptBytes}.
     */
    Kept keep();

    /**
     * The same, but only the beginning where writers wait whose bytes fill what is set aside for that: hundreds of writers must not take
     * more memory than there is. The answer must not say that more was written, and the program writes the rest once more.
     */
    default Kept keepSome() {
        return keep();
    }

    /** Bytes of a WRITE that outlive its handler. Whoever has it must close it, once, on any thread. */
    interface Kept extends AutoCloseable {
        MemorySegment bytes();

        @Override
        void close();
    }
}
