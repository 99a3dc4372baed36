package s3csi.filesystem.write;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.FileInode;
import s3csi.filesystem.inode.InodeTable;
import s3csi.filesystem.inode.LocalFile;
import s3csi.filesystem.inode.OpenRules;
import s3csi.filesystem.inode.Standing;
import s3csi.filesystem.inode.StoredVersion;
import s3csi.filesystem.inode.Writer;

/**
 * One open of a file for writing, shared by all descriptors that were duplicated from it.
 *
 * <p>Nobody can tell which close is the last one of the program that wrote. So each close that finds new bytes stores the file and
 * reports how that went, and a write after it just goes on. What becomes of the bytes is in {@link FileState}, who has the
 * descriptors in {@link Use}.
 */
public final class WriteHandle implements Writer {
    private static final Logger LOG = LoggerFactory.getLogger(WriteHandle.class);

    /**
     * How long a piece of a write waits for the one before it. The kernel sends them in order, and which of our threads comes first is all
     * that can come between; this is so long only because a machine may be that busy.
     */
    private static final Duration PIECES = Duration.ofSeconds(2);

    private enum Use {
        /** Opened or written to, and not closed since. */
        IN_USE,
        /** Some descriptor was closed; there may be others. */
        CLOSED,
        /** Another open writes the file now. */
        TAKEN_OVER,
        /** The last descriptor is gone. */
        RELEASED
    }

    private final InodeTable table;
    private final OpenRules rules;
    private final FileInode inode;
    private final FileUpload upload;
    private final boolean mayTruncate;

    /** Held while the upload is used, also across requests to the store; device threads only try it. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Something happened to the file: bytes came, or it ended. */
    private final Condition changed = lock.newCondition();

    /** What stat shows of the file; null while nothing was written since it was stored. Guarded by the lock. */
    private @Nullable LocalFile local;

    private final AtomicReference<Use> use = new AtomicReference<>(Use.IN_USE);

    private WriteHandle(InodeTable table, OpenRules rules, FileInode inode, FileUpload upload, boolean mayTruncate) {
        this.table = table;
        this.rules = rules;
        this.inode = inode;
        this.upload = upload;
        this.mayTruncate = mayTruncate;
    }

    /** Writes a file from its beginning. */
    public static WriteHandle fromStart(Uploads uploads, InodeTable table, OpenRules rules, FileInode inode) {
        return new WriteHandle(table, rules, inode, FileUpload.ofNew(uploads, inode::key), true);
    }

    /** Writes behind the end of what is stored. */
    public static WriteHandle fromEnd(
            Uploads uploads,
            InodeTable table,
            OpenRules rules,
            FileInode inode,
            StoredVersion version,
            boolean mayTruncate) {
        FileUpload upload = FileUpload.behind(uploads, inode::key, version.etag(), version.size());
        return new WriteHandle(table, rules, inode, upload, mayTruncate);
    }

    /** Called once the open is granted: the inode shows what is written from now on. */
    public void begin() {
        if (upload.isUnstored()) {
            local = table.beginWriting(inode, upload.size());
        }
    }

    @Override
    public FileInode inode() {
        return inode;
    }

    // ---- as others see it

    @Override
    public Standing standing() {
        boolean isInUse = use.get() == Use.IN_USE;
        return switch (upload.state()) {
            case FileState.Untouched _ -> isInUse ? Standing.READY : Standing.STORED;
            case FileState.Stored _ -> Standing.STORED;
            case FileState.Resuming _, FileState.Buffered _, FileState.InParts _, FileState.Failed _ ->
                isInUse ? Standing.IN_USE : Standing.CLOSED;
            // What was removed while it was written cannot be opened, however somebody got hold of its number.
            case FileState.Discarded _ -> Standing.IN_USE;
        };
    }

    @Override
    public void resume() throws FileException {
        switch (use.get()) {
            case IN_USE, CLOSED -> use.set(Use.IN_USE);
            case TAKEN_OVER, RELEASED ->
                throw new FileException(
                        new FileFailure.WrongHandle(),
                        inode.key() + " was opened for writing again after this descriptor was closed elsewhere");
        }
        if (upload.resume()) {
            local = table.beginWriting(inode, upload.size());
        }
    }

    @Override
    public void takenOver() {
        use.set(Use.TAKEN_OVER);
    }

    /** Whether a program has it open and did not close it since it wrote last. */
    public boolean isInUse() {
        return use.get() == Use.IN_USE;
    }

    /** Whether there is no byte at the offset, or behind it. Not known of a file that another open writes now. */
    public boolean endsBefore(long offset) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return use.get() != Use.TAKEN_OVER && offset >= upload.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether bytes of it would be lost if the process ended now. */
    public boolean isUnstored() {
        return upload.isUnstored();
    }

    // ---- writing

    /** Takes bytes as far as that works at once; none if somebody else uses the handle just now. */
    public long tryWrite(long offset, MemorySegment bytes, boolean isPiece) throws FileException {
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            boolean isEarly = isPiece && offset > upload.size();
            return isEarly || !upload.isReady() ? 0 : take(offset, () -> upload.tryAppend(bytes));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes bytes, waiting for memory; fewer than given only if interrupted.
     *
     * @param isPiece whether it may be one of several pieces of one write, which are sent at the same time
     */
    public long write(long offset, MemorySegment bytes, boolean isPiece) throws FileException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (isPiece) {
                awaitPiecesBefore(offset);
            }
            return take(offset, () -> upload.append(bytes));
        } finally {
            lock.unlock();
        }
    }

    private void awaitPiecesBefore(long offset) throws InterruptedException {
        long size = -1;
        long left = 0;
        while (offset > upload.size() && !(upload.state() instanceof FileState.Failed)) {
            if (upload.size() != size) {
                size = upload.size();
                left = PIECES.toNanos();
            } else if (left <= 0) {
                return;
            }
            left = changed.awaitNanos(left);
        }
    }

    private interface Taking<X extends Exception> {
        long take() throws FileException, X;
    }

    private <X extends Exception> long take(long offset, Taking<X> bytes) throws FileException, X {
        try {
            upload.checkHealthy();
            rules.resume(this);
            checkOffset(offset);
            long taken = bytes.take();
            showSize();
            return taken;
        } catch (FileException e) {
            throw failed(e);
        } catch (RuntimeException | Error e) {
            broken(e);
            throw e;
        } finally {
            upload.settle(this::finished);
            changed.signalAll();
        }
    }

    private void checkOffset(long offset) throws FileException {
        if (offset != upload.size()) {
            throw new FileException(
                    new FileFailure.NotSequential(),
                    inode.key() + " was written at offset " + offset + " instead of " + upload.size()
                            + "; objects can only be written from the beginning to the end");
        }
    }

    private void showSize() {
        if (local != null) {
            local.setSize(upload.size());
        }
    }

    /**
     * Fails the file for good. A program that does not look at what a write returns must hear of it at close, and what it wrote is
     * not stored without the bytes that were lost: half a file looks like a whole one.
     */
    private FileException failed(FileException e) {
        if (e.failure() instanceof FileFailure.WrongHandle) {
            // Another open has the file now; this one has nothing that could be lost.
            return e;
        }
        FileException first = upload.fail(e);
        if (first.equals(e)) {
            table.abandonWriting(inode);
            local = null;
        }
        return first;
    }

    /** Fails the file because of a fault that is none of the store's. */
    public void broken(Throwable fault) {
        lock.lock();
        try {
            LOG.error("{} cannot be stored because of a fault in this program", inode.key(), fault);
            failed(new FileException(
                    new FileFailure.Broken(),
                    inode.key() + " was not stored because of a fault in this program; the log has more"));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- storing

    /**
     * Somebody closed a descriptor. True if there was nothing to store, so that this was all; what went wrong before is
     * reported again. False if {@link #flush} must be called, which waits.
     */
    public boolean tryFlush() throws FileException {
        descriptorClosed();
        if (!lock.tryLock()) {
            return false;
        }
        try {
            upload.checkHealthy();
            return !upload.hasNewBytes();
        } finally {
            lock.unlock();
        }
    }

    private void descriptorClosed() {
        use.compareAndSet(Use.IN_USE, Use.CLOSED);
    }

    /** Somebody closed a descriptor: stores new bytes. An interrupt ends the wait, not the storing. */
    public void flush() throws FileException, InterruptedException {
        descriptorClosed();
        Completion.await(() -> store(false));
    }

    /** Stores the file as it is, also if it is empty. */
    public void sync() throws FileException, InterruptedException {
        Completion.await(() -> store(true));
    }

    @Override
    public void finish() throws FileException, InterruptedException {
        Completion.await(() -> store(true));
    }

    private void store(boolean evenEmpty) throws FileException {
        lock.lock();
        try {
            upload.store(evenEmpty, this::finished);
        } catch (FileException e) {
            throw failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(new FileException(
                    new FileFailure.ShuttingDown(), "the upload of " + inode.key() + " was given up"));
        } catch (RuntimeException | Error e) {
            broken(e);
            throw e;
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    /** The store has the file as it is. */
    private void finished(StoredCopy copy) {
        table.finishWriting(inode, copy.etag(), copy.size());
        local = null;
    }

    // ---- the rest

    /** Makes the file empty; any other size than it has is refused. */
    public void truncate(long size) throws FileException, InterruptedException {
        lock.lockInterruptibly();
        try {
            upload.checkHealthy();
            if (size == upload.size()) {
                return;
            }
            if (size != 0) {
                throw new FileException(
                        new FileFailure.NotSupported(),
                        inode.key() + " can be truncated to 0 bytes only while it is written, not to " + size);
            }
            if (!mayTruncate) {
                throw new FileException(
                        new FileFailure.NotPermitted(),
                        inode.key() + " may not be overwritten; mount with --allow-overwrite to allow it");
            }
            rules.resume(this);
            upload.truncate();
            showSize();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The file gets another name, and is stored under that one. Waits for a close under way; false if the file was stored by it, or
     * somebody else writes it now.
     */
    public boolean move(DirectoryInode directory, String name) throws FileException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (upload.state() instanceof FileState.InParts) {
                // The parts of an upload stay with the key that it was begun for.
                throw new FileException(
                        new FileFailure.NotPermitted(),
                        inode.key()
                                + " is being written, and a part of it is in the store under this name; close it first");
            }
            return rules.move(inode, this, directory, name);
        } finally {
            lock.unlock();
        }
    }

    /** Deletes what the store has under the name of a file; false if the name does not lead to the file any more. */
    public interface Deletion {
        boolean run() throws FileException;
    }

    /**
     * Removes the name of the file. Nothing of it is stored while the store deletes what it has there, and nothing ever is after that:
     * writes succeed and go nowhere. If the store refuses, or nobody knows what it did, the file goes on as before.
     *
     * @param named the number that the name leads to
     * @return false if somebody else writes the file now, or the name leads elsewhere
     */
    public boolean unlink(FileInode named, Deletion deletion) throws FileException, InterruptedException {
        lock.lockInterruptibly();
        try {
            long since = table.now();
            boolean isDone = deletion.run() && rules.unlink(named, this, since);
            if (isDone) {
                upload.discard();
                changed.signalAll();
            }
            return isDone;
        } finally {
            lock.unlock();
        }
    }

    /** The last descriptor is gone. True if there was nothing to store, so that everything is given back. */
    public boolean tryRelease() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            boolean isDone = !upload.isUnstored();
            if (isDone) {
                close();
            }
            return isDone;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The last descriptor is gone: stores what is left, and gives everything back. An interrupt ends the wait, not the storing.
     *
     * @param released called when it is done, or failed
     */
    public void release(Runnable released) throws FileException, InterruptedException {
        Completion.await(() -> {
            try {
                end();
            } finally {
                released.run();
            }
        });
    }

    /** Stores what is left, and gives everything back. */
    public void end() {
        descriptorClosed();
        try {
            if (upload.isUnstored()) {
                store(true);
            }
        } catch (FileException e) {
            // Nobody waits for this any more; bytes were reported at close, so this is about an empty file.
            LOG.error("{} could not be stored after its last descriptor was closed: {}", inode.key(), e.getMessage());
        } finally {
            close();
        }
    }

    /** Gives everything back, stored or not. */
    public void close() {
        lock.lock();
        try {
            use.set(Use.RELEASED);
            if (upload.isUnstored()) {
                failed(new FileException(
                        new FileFailure.ShuttingDown(), inode.key() + " was given up before it was stored"));
            }
            upload.close();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
