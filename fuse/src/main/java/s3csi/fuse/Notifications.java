package s3csi.fuse;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * What the file system tells the kernel unasked.
 *
 * <p>Invalidations wait in the kernel for locks that a request under way may hold (a page that a READ fills, a directory that a
 * LOOKUP searches), and such a request may wait for its answer. So never call them from a handler on a device thread, nor
 * while holding a lock that an answer needs: use a thread of its own.
 *
 * <p>Each method answers false where the kernel does not know the inode or name (nothing was cached, which is as good), and
 * where the connection has ended. {@link IOException} is for what should not happen.
 */
public interface Notifications {
    /** Drops the attributes of the node, and its cached pages from {@code offset} on; {@code length} 0 means to the end. A negative offset drops attributes only. */
    boolean invalidateInode(long node, long offset, long length) throws IOException;

    /** Forgets the name, so that the next access looks it up again. */
    boolean invalidateEntry(long parent, String name) throws IOException;

    /** Lets the name's validity end now without dropping what hangs on it. Needs {@link Capability#HAS_EXPIRE_ONLY}. */
    boolean expireEntry(long parent, String name) throws IOException;

    /** The child of that name is gone: the name is dropped and watchers (inotify) hear of it. */
    boolean deleteEntry(long parent, long child, String name) throws IOException;

    /** The most nodes that one {@link #prune} can name. */
    int MOST_PRUNED = 500;

    /**
     * Forgets these nodes as far as nothing uses them; unlike the others it waits for no lock of a directory. False where the
     * kernel does not know how (before protocol 7.45), and where the connection has ended.
     */
    boolean prune(long[] nodes) throws IOException;

    /** Puts bytes into the page cache of the node. The segment must be off-heap. */
    boolean store(long node, long fileOffset, MemorySegment bytes, long from, long length) throws IOException;

    /**
     * Asks for every request again that was read by a process that is gone. They come with {@link Reply#isResent} true.
     * Needs {@link Capability#HAS_RESEND}.
     */
    boolean resend() throws IOException;
}
