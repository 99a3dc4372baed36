package s3csi.filesystem.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.Inode;
import s3csi.fuse.DirectoryPlusReply;
import s3csi.fuse.DirectoryReply;

/**
 * One open directory. Offsets count the names given so far. A reader may go on, begin again at 0, or ask once more for what its last
 * answer held; whoever goes anywhere else (seekdir) gets a new listing without its first names, which are others if the directory
 * has changed meanwhile.
 */
public final class DirectoryHandle implements AutoCloseable {
    private final Directories directories;
    private final DirectoryInode directory;

    /** Held while a page is waited for; device threads only try it. */
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private Listing listing;
    private List<ListedName> last = new ArrayList<>();
    private long lastOffset;
    private long position;
    private boolean closed;

    public DirectoryHandle(Directories directories, DirectoryInode directory) {
        this.directories = directories;
        this.directory = directory;
        this.listing = new Listing(directories, directory);
        directories.table().pin(directory);
    }

    /** Lists into the answer if that needs no waiting. */
    public boolean tryList(long offset, DirectoryReply reply) throws FileException {
        return tryAnswer(offset, new NamesOnly(directories.table(), directory, reply));
    }

    public boolean tryList(long offset, DirectoryPlusReply reply) throws FileException {
        return tryAnswer(offset, new NamesWithEntries(directories.table(), directory, reply));
    }

    /** Lists into the answer, waiting for the store. */
    public void list(long offset, DirectoryReply reply) throws FileException, InterruptedException {
        answer(offset, new NamesOnly(directories.table(), directory, reply));
    }

    public void list(long offset, DirectoryPlusReply reply) throws FileException, InterruptedException {
        answer(offset, new NamesWithEntries(directories.table(), directory, reply));
    }

    private boolean tryAnswer(long offset, NameSink sink) throws FileException {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (!replay(offset, sink)) {
                seek(offset);
                while (!skipTo(offset) || !fill(sink)) {
                    if (!listing.canAdvance()) {
                        return false;
                    }
                    advanceAtOnce();
                }
            }
            sink.send();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void advanceAtOnce() throws FileException {
        try {
            listing.advance();
        } catch (InterruptedException e) {
            throw new IllegalStateException("a page that was there was waited for", e);
        }
    }

    private void answer(long offset, NameSink sink) throws FileException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!replay(offset, sink)) {
                seek(offset);
                while (!skipTo(offset) || !fill(sink)) {
                    listing.advance();
                }
            }
            sink.send();
        } finally {
            lock.unlock();
        }
    }

    /** Gives what the last answer held once more, if that is what was asked for and any of it is still there. */
    private boolean replay(long offset, NameSink sink) {
        if (!isInLastAnswer(offset)) {
            return false;
        }
        for (long at = offset; at < position; at++) {
            if (sink.add(last.get((int) (at - lastOffset)), at + 1) == NameSink.Added.NO_ROOM) {
                break;
            }
        }
        return !sink.isEmpty();
    }

    private boolean isInLastAnswer(long offset) {
        return offset != 0 && offset >= lastOffset && offset < position;
    }

    private void seek(long offset) throws FileException {
        if (closed) {
            throw new FileException(new FileFailure.WrongHandle(), directory.key() + " is not open any more");
        }
        if (offset < position && !isInLastAnswer(offset)) {
            listing.cancel();
            listing = new Listing(directories, directory);
            moveTo(0);
        }
    }

    /** What was answered before cannot be asked for once more. */
    private void moveTo(long offset) {
        position = offset;
        last = List.of();
        lastOffset = offset;
    }

    /** Leaves names out as far as the listing has them; false if a page is needed first. */
    private boolean skipTo(long offset) {
        while (position < offset) {
            if (position >= 2 && !listing.isReady()) {
                return false;
            }
            if (peek(position) == null) {
                // It has become shorter.
                return true;
            }
            take(position);
            moveTo(position + 1);
        }
        return true;
    }

    /**
     * Puts names into the answer; false if a page is needed first. An empty answer means the end, so names that are gone meanwhile
     * must not leave one.
     */
    private boolean fill(NameSink sink) {
        if (!listing.isReady()) {
            return false;
        }
        List<ListedName> given = new ArrayList<>();
        long at = position;
        boolean hasRoom = true;
        for (ListedName name = peek(at); name != null && hasRoom; name = peek(at)) {
            switch (sink.add(name, at + 1)) {
                case YES -> {
                    given.add(name);
                    take(at);
                    at++;
                }
                case GONE -> take(at);
                case NO_ROOM -> hasRoom = false;
            }
        }
        if (sink.isEmpty() && !listing.isReady()) {
            return false;
        }
        // Kept also if nobody gets it: whoever asks again is answered from this.
        last = given;
        lastOffset = position;
        position = at;
        return true;
    }

    /** The directory and its parent come first, then the listing. */
    private @Nullable ListedName peek(long at) {
        if (at == 0) {
            return new ListedName.Dot(".", directory);
        }
        if (at == 1) {
            Inode parent = directory.parent();
            return new ListedName.Dot("..", parent == null ? directory : parent);
        }
        return listing.peek();
    }

    private void take(long at) {
        if (at >= 2) {
            listing.take();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            listing.cancel();
        } finally {
            lock.unlock();
        }
        directories.table().unpin(directory);
    }
}
