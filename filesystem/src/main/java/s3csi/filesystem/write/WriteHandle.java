package s3csi.filesystem.write;

import java.lang.foreign.MemorySegment;
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
import s3csi.filesystem.inode.StoredVersion;
import s3csi.filesystem.inode.Writer;

/**
 * One open of a file for writing, shared by all descriptors that were duplicated from it.
 *
 * <p>Nobody can tell which close is the last one of the program that wrote. So each close that finds new bytes stores the file and
 * reports how that went, and a write after it just goes on.
 */
public final class WriteHandle implements Writer {
    private static final Logger LOG = LoggerFactory.getLogger(WriteHandle.class);

    private final InodeTable table;
    private final FileInode inode;
    private final FileUpload upload;
    private final boolean mayTruncate;

    /** Held while the upload is used, also across requests to the store; device threads only try it. */
    private final ReentrantLock lock = new ReentrantLock();

    /** What stat shows of the file; null while nothing was written since it was stored. Guarded by the lock. */
    private @Nullable LocalFile local;

    private volatile boolean active = true;
    private volatile boolean complete;
    /** Whether it was opened to write on, and did not begin yet. */
    private volatile boolean isAboutToBegin;

    private volatile boolean superseded;
    private volatile boolean discarded;
    /** Guarded by the lock. */
    private boolean closed;

    private WriteHandle(InodeTable table, FileInode inode, FileUpload upload, boolean mayTruncate) {
        this.table = table;
        this.inode = inode;
        this.upload = upload;
        this.mayTruncate = mayTruncate;
    }

    /** Writes a file from its beginning. */
    public static WriteHandle fromStart(Uploads uploads, InodeTable table, FileInode inode) {
        return new WriteHandle(table, inode, FileUpload.ofNew(uploads, inode::key), true);
    }

    /** Writes behind the end of what is stored. */
    public static WriteHandle fromEnd(
            Uploads uploads, InodeTable table, FileInode inode, StoredVersion version, boolean mayTruncate) {
        FileUpload upload = FileUpload.behind(uploads, inode::key, version.etag(), version.size());
        WriteHandle handle = new WriteHandle(table, inode, upload, mayTruncate);
        handle.complete = true;
        handle.isAboutToBegin = true;
        return handle;
    }

    /** Called once the open is granted: the inode shows what is written from now on. */
    public void begin() {
        if (!complete) {
            local = table.beginWriting(inode, upload.size());
        }
    }

    public FileInode inode() {
        return inode;
    }

    // ---- writing

    /** Takes bytes as far as that works at once; negative if somebody else uses the handle just now. */
    public long tryWrite(long offset, MemorySegment bytes) throws FileException {
        if (!lock.tryLock()) {
            return -1;
        }
        return take(offset, () -> upload.tryAppend(bytes));
    }

    /** Takes bytes, waiting for memory; fewer than given only if interrupted. */
    public long write(long offset, MemorySegment bytes) throws FileException, InterruptedException {
        lock.lockInterruptibly();
        return take(offset, () -> upload.append(bytes));
    }

    private interface Taking<X extends Exception> {
        long take() throws FileException, X;
    }

    /** Called with the lock held, which it gives back. */
    private <X extends Exception> long take(long offset, Taking<X> bytes) throws FileException, X {
        try {
            prepare(offset);
            long taken = bytes.take();
            showSize();
            return taken;
        } catch (FileException e) {
            throw failed(e);
        } catch (RuntimeException | Error e) {
            broken(e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void showSize() {
        if (local != null) {
            local.setSize(upload.size());
        }
    }

    private void prepare(long offset) throws FileException {
        upload.checkHealthy();
        activate();
        if (offset != upload.size()) {
            throw new FileException(
                    new FileFailure.NotSequential(),
                    inode.key() + " was written at offset " + offset + " instead of " + upload.size()
                            + "; objects can only be written from the beginning to the end");
        }
    }

    /** The handle is used, perhaps again after a close. */
    private void activate() throws FileException {
        synchronized (table) {
            if (superseded || closed) {
                throw new FileException(
                        new FileFailure.WrongHandle(),
                        inode.key() + " was opened for writing again after this descriptor was closed elsewhere");
            }
            active = true;
            isAboutToBegin = false;
            if (complete && !upload.isDiscarded()) {
                complete = false;
                local = table.beginWriting(inode, upload.size());
            }
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
        boolean isFirst = upload.isHealthy();
        FileException first = upload.fail(e);
        if (isFirst && !superseded) {
            table.abandonWriting(inode);
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
        active = false;
        if (!lock.tryLock()) {
            return false;
        }
        try {
            upload.checkHealthy();
            return complete || upload.isDiscarded() || (upload.mustStore() && !upload.hasNewBytes());
        } finally {
            lock.unlock();
        }
    }

    /** Somebody closed a descriptor: stores new bytes. An interrupt ends the wait, not the storing. */
    public void flush() throws FileException, InterruptedException {
        active = false;
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
            upload.checkHealthy();
            if (closed) {
                if (complete) {
                    // The last descriptor went while the caller waited, and took care of it.
                    return;
                }
                throw new FileException(
                        new FileFailure.ShuttingDown(), inode.key() + " was given up before it was stored");
            }
            boolean isNeeded = evenEmpty ? upload.mustStore() : upload.mustStore() && upload.hasNewBytes();
            if (isNeeded && !superseded) {
                finished(upload.store());
            } else if (!complete && !superseded && upload.isAsStored()) {
                // It was about to be written on, and no byte came.
                finished(upload.lastStored());
            }
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
            lock.unlock();
        }
    }

    private void finished(Stored stored) {
        table.finishWriting(inode, stored.etag(), stored.size());
        complete = true;
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
            activate();
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
            if (table.isBeingWritten(inode) && !upload.isAllHere()) {
                // The parts of an upload stay with the key that it was begun for.
                throw new FileException(
                        new FileFailure.NotPermitted(),
                        inode.key()
                                + " is being written, and a part of it is in the store under this name; close it first");
            }
            return table.move(inode, this, directory, name);
        } finally {
            lock.unlock();
        }
    }

    /** The name was removed: nothing of this is to be stored any more. */
    public void discard() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            discarded = true;
            upload.discard();
        } finally {
            lock.unlock();
        }
    }

    /** The last descriptor is gone: stores what is left, and lets go of everything. */
    public void release() {
        active = false;
        try {
            if (!superseded && upload.isHealthy()) {
                store(true);
            }
        } catch (FileException e) {
            // Nobody waits for this any more; bytes were reported at close, so this is about an empty file.
            LOG.warn("{} could not be stored after its last descriptor was closed: {}", inode.key(), e.getMessage());
        } finally {
            close();
        }
    }

    /** Lets go of everything, stored or not. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (upload.mustStore() && !superseded) {
                table.abandonWriting(inode);
            }
            upload.close();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isActive() {
        // What was removed while it was written cannot be opened any more, however somebody got hold of its number.
        return active || discarded;
    }

    /** Whether bytes of it would be lost if the process ended now. */
    public boolean isUnstored() {
        return !complete && !superseded && !discarded;
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public boolean isAboutToBegin() {
        return isAboutToBegin && active;
    }

    @Override
    public void supersede() {
        superseded = true;
    }
}
