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
public final class DirectoryHandle implements AutoCloseable, Turns.Holder {
    private final Directories directories;
    private final DirectoryInode directory;

    /** Held while a page is waited for; device threads only try it. */
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private Listing listing;
    private LastAnswer last = new LastAnswer(0, List.of(), null);
    private long position;
    private boolean closed;
    private boolean hasTurn;
    private boolean hasLetGo;
    private boolean hasEnded;
    private long usedAt;

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
            if (!replay(offset, sink) && !isBehindTheEnd(offset)) {
                seek(offset);
                while (!skipTo(offset) || !fill(sink)) {
                    if (!hasTurn || !listing.canAdvance()) {
                        return false;
                    }
                    advanceAtOnce();
                }
            }
            send(sink);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void answer(long offset, NameSink sink) throws FileException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!replay(offset, sink) && !isBehindTheEnd(offset)) {
                seek(offset);
                while (!skipTo(offset) || !fill(sink)) {
                    takeTurn();
                    advance();
                }
            }
            send(sink);
        } finally {
            lock.unlock();
        }
    }

    private void send(NameSink sink) {
        usedAt = directories.time().now();
        if (listing.isExhausted()) {
            end();
        }
        sink.send();
    }

    // ---- pages, and turns to have them

    private void advanceAtOnce() throws FileException {
        try {
            advance();
        } catch (InterruptedException e) {
            throw new IllegalStateException("a page that was there was waited for", e);
        }
    }

    private void advance() throws FileException, InterruptedException {
        listing.advance();
        moveTo(position);
        if (!directories.turns().hasWaiting()) {
            listing.fetchAhead();
        }
    }

    /** Those who wait for their turn to have a page go before those who need their next one. */
    private void takeTurn() throws InterruptedException {
        if (hasTurn && !listing.canAdvance() && directories.turns().hasWaiting()) {
            listing.dropAhead();
            endTurn();
        }
        if (!hasTurn) {
            directories.turns().take(this);
            hasTurn = true;
        }
    }

    private void endTurn() {
        if (hasTurn) {
            hasTurn = false;
            directories.turns().giveBack(this);
        }
    }

    @Override
    public void giveBackIfIdle() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (hasTurn && directories.time().now() - usedAt > Turns.IDLE.toNanos()) {
                letGo();
                endTurn();
            }
        } finally {
            lock.unlock();
        }
    }

    private void letGo() {
        if (listing.letGo()) {
            last = last.shortened();
            hasLetGo = true;
        } else {
            beginAgain();
        }
    }

    /** Programs may keep directories open that they have read, any number of them. */
    private void end() {
        hasEnded = true;
        if (listing.letGo()) {
            last = last.shortened();
            hasLetGo = true;
        } else {
            listing = new Listing(directories, directory);
            last = new LastAnswer(position, List.of(), null);
        }
        endTurn();
    }

    // ---- where the reader is

    private boolean isBehindTheEnd(long offset) {
        return hasEnded && !closed && offset >= position;
    }

    /** Gives what the last answer held once more, if that is what was asked for and any of it is still there. */
    private boolean replay(long offset, NameSink sink) {
        if (hasLetGo || !isInLastAnswer(offset)) {
            return false;
        }
        for (long at = offset; at < position; at++) {
            ListedName name = last.at(at);
            if (name == null || sink.add(name, at + 1) == NameSink.Added.NO_ROOM) {
                break;
            }
        }
        return !sink.isEmpty();
    }

    private boolean isInLastAnswer(long offset) {
        return offset != 0 && offset >= last.offset() && offset < position;
    }

    private void seek(long offset) throws FileException {
        if (closed) {
            throw new FileException(new FileFailure.WrongHandle(), directory.key() + " is not open any more");
        }
        if (offset < position && !isInLastAnswer(offset)) {
            beginAgain();
        } else if (hasLetGo) {
            resume(Math.min(offset, position));
        }
    }

    private void beginAgain() {
        listing.cancel();
        listing = new Listing(directories, directory);
        hasLetGo = false;
        hasEnded = false;
        moveTo(0);
    }

    /** Goes on where the page was let go of, at any place of the last answer. */
    private void resume(long offset) {
        hasLetGo = false;
        hasEnded = false;
        String before = last.nameBefore(offset);
        listing.leaveOut(before);
        position = offset;
        last = new LastAnswer(offset, List.of(), before);
    }

    /** What was answered before cannot be asked for once more. */
    private void moveTo(long offset) {
        position = offset;
        last = new LastAnswer(offset, List.of(), listing.lastTaken());
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
        String before = listing.lastTaken();
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
        last = new LastAnswer(position, given, before);
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
            endTurn();
        } finally {
            lock.unlock();
        }
        directories.table().unpin(directory);
    }
}
