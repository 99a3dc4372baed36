package s3csi.filesystem.inode;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;

/**
 * Who may have a file open together with whom: any number of readers, or one writer. A reader or writer whose descriptor was closed
 * once ("flushed") makes room, because a program that closed a file expects to open it again; what it left unstored is stored
 * first.
 *
 * <p>They may have a descriptor left all the same, and the kernel keeps one size and one set of pages for each number. So a number is
 * never read and written at the same time: the name gets another number for the newcomer, who is sent to walk the path again
 * (ESTALE, which the kernel does by itself), and the old number stays with those who have it.
 */
public final class OpenRules {
    private final InodeTable table;

    /** Guards the openings of all files, and what of a writer counts for others. The table's lock may be taken under it. */
    private final Object lock = new Object();

    /** Who has which file open, by the number of its inode. */
    private final Map<Long, Openings> open = new HashMap<>();

    public OpenRules(InodeTable table) {
        this.table = table;
    }

    // ---- reading

    /** Whether opening must wait for somebody's upload. */
    public boolean mustWait(FileInode inode) {
        synchronized (lock) {
            Writer writer = writerOf(inode);
            return writer != null && writer.standing() == Standing.CLOSED;
        }
    }

    /** Opens for reading. Waits for the upload of a writer that was closed. */
    public ReadClaim claimForReading(FileInode inode) throws FileException, InterruptedException {
        while (true) {
            ReadClaim claim = tryClaimForReading(inode);
            if (claim != null) {
                return claim;
            }
            Writer writer = writer(inode);
            if (writer != null) {
                writer.finish();
            }
        }
    }

    /** Opens for reading, or answers null if there is an upload to wait for. */
    public @Nullable ReadClaim tryClaimForReading(FileInode inode) throws FileException {
        synchronized (lock) {
            Writer writer = writerOf(inode);
            if (writer == null) {
                if (table.isBeingWritten(inode)) {
                    throw inUse(inode, "it was created and not written yet");
                }
                return claimed(inode);
            }
            return switch (writer.standing()) {
                case IN_USE -> throw inUse(inode, "it is being written");
                case CLOSED -> null;
                case READY, STORED -> {
                    if (inode.number() == writer.inode().number()) {
                        throw renumbered(inode, "is still open for writing");
                    }
                    yield claimed(inode);
                }
            };
        }
    }

    private ReadClaim claimed(FileInode inode) {
        openings(inode).activeReaders++;
        table.pin(inode);
        return new ReadClaim(inode);
    }

    /** Somebody closed a descriptor of the reader. */
    public void park(ReadClaim claim) {
        synchronized (lock) {
            if (!claim.parked) {
                claim.parked = true;
                Openings openings = openings(claim.inode());
                openings.activeReaders--;
                openings.parkedReaders++;
            }
        }
    }

    /** The reader is used again, by somebody who has another descriptor of it. */
    public void resume(ReadClaim claim) {
        synchronized (lock) {
            if (claim.parked) {
                claim.parked = false;
                Openings openings = openings(claim.inode());
                openings.parkedReaders--;
                openings.activeReaders++;
            }
        }
    }

    public void release(ReadClaim claim) {
        park(claim);
        synchronized (lock) {
            FileInode inode = claim.inode();
            openings(inode).parkedReaders--;
            dropIfEmpty(inode);
        }
        table.unpin(claim.inode());
    }

    // ---- writing

    /** Opens a file for writing that was just created. */
    public void claimCreated(FileInode inode, Writer claimant) throws FileException {
        synchronized (lock) {
            Openings openings = openings(inode);
            if (!openings.isEmpty()) {
                throw inUse(inode, "another program opened it first");
            }
            openings.writer = claimant;
            table.pin(inode);
        }
    }

    /** Opens for writing. Waits for the upload of a writer that was closed, and takes over from it. */
    public void claimForWriting(FileInode inode, Writer claimant) throws FileException, InterruptedException {
        while (true) {
            Writer before = tryClaimForWriting(inode, claimant);
            if (before == null) {
                return;
            }
            before.finish();
        }
    }

    /** Opens for writing, or answers whose upload there is to wait for. */
    private @Nullable Writer tryClaimForWriting(FileInode inode, Writer claimant) throws FileException {
        synchronized (lock) {
            Openings openings = openings(inode);
            if (openings.activeReaders > 0) {
                throw inUse(inode, "it is being read");
            }
            if (openings.parkedReaders > 0) {
                throw renumbered(inode, "may still be read");
            }
            Writer before = openings.writer;
            if (before != null) {
                switch (before.standing()) {
                    case READY, IN_USE -> throw inUse(inode, "it is being written");
                    case CLOSED -> {
                        return before;
                    }
                    case STORED -> before.takenOver();
                }
            }
            openings.writer = claimant;
            table.pin(inode);
            return null;
        }
    }

    /** The writer is used, perhaps again after a close; refused if another one took over meanwhile. */
    public void resume(Writer writer) throws FileException {
        synchronized (lock) {
            writer.resume();
        }
    }

    public void release(Writer writer) {
        FileInode inode = writer.inode();
        synchronized (lock) {
            forget(inode, writer);
            DirectoryInode parent = inode.parent();
            if (parent != null && table.child(parent, inode.name()) instanceof FileInode present) {
                forget(present, writer);
            }
        }
        table.unpin(inode);
    }

    private void forget(FileInode inode, Writer writer) {
        Openings openings = open.get(inode.number());
        if (openings != null && writer.equals(openings.writer)) {
            openings.writer = null;
            table.keepName(inode);
            dropIfEmpty(inode);
        }
    }

    /** Who writes the file, or wrote it and has it open still. */
    public @Nullable Writer writer(FileInode inode) {
        synchronized (lock) {
            return writerOf(inode);
        }
    }

    // ---- names

    /**
     * Gives a file that the store does not know another name.
     *
     * @param holder who writes the file, as the caller knows it; null for nobody
     * @return false if it is not a file that nobody but the holder writes, or not any more
     */
    public boolean move(FileInode inode, @Nullable Writer holder, DirectoryInode directory, String name)
            throws FileException {
        synchronized (lock) {
            return Objects.equals(writerOf(inode), holder) && table.move(inode, directory, name);
        }
    }

    /**
     * The store has deleted what it had under the name.
     *
     * @param holder who writes the file, as the caller knew it before; null for nobody
     * @param since when the store was asked to
     * @return false if somebody else wrote the file meanwhile, so that the name must be looked at again
     */
    public boolean unlink(FileInode inode, @Nullable Writer holder, long since) {
        synchronized (lock) {
            boolean isSame =
                    Objects.equals(writerOf(inode), holder) && (holder != null || !table.isChangedSince(inode, since));
            if (isSame) {
                table.unlink(inode);
            }
            return isSame;
        }
    }

    private FileException renumbered(FileInode inode, String why) {
        renumber(inode);
        return new FileException(
                new FileFailure.Stale(),
                inode.key() + " " + why + " by this number; its name leads to another one now");
    }

    private void renumber(FileInode inode) {
        Writer writer = writerOf(inode);
        FileInode next = table.renumber(inode, writer != null);
        if (next != null && writer != null) {
            openings(next).writer = writer;
        }
    }

    /**
     * Somebody opened a number that the name does not lead to any more, and will walk the path again, but only once: makes sure that
     * it then leads to a number that can be opened.
     */
    public void makeWay(FileInode inode, boolean toRead) {
        synchronized (lock) {
            DirectoryInode parent = inode.parent();
            if (parent == null || !(table.child(parent, inode.name()) instanceof FileInode present)) {
                return;
            }
            Openings openings = open.get(present.number());
            if (openings == null) {
                return;
            }
            Writer writer = openings.writer;
            boolean isInTheWay = toRead
                    ? writer != null && present.number() == writer.inode().number() && isStored(writer)
                    : openings.activeReaders == 0 && openings.parkedReaders > 0;
            if (isInTheWay) {
                renumber(present);
            }
        }
    }

    private static boolean isStored(Writer writer) {
        return switch (writer.standing()) {
            case READY, STORED -> true;
            case IN_USE, CLOSED -> false;
        };
    }

    // ---- inside

    private void dropIfEmpty(FileInode inode) {
        Openings openings = open.get(inode.number());
        if (openings != null && openings.isEmpty()) {
            open.remove(inode.number());
        }
    }

    private Openings openings(FileInode inode) {
        return open.computeIfAbsent(inode.number(), _ -> new Openings());
    }

    private @Nullable Writer writerOf(FileInode inode) {
        Openings openings = open.get(inode.number());
        return openings == null ? null : openings.writer;
    }

    private static FileException inUse(FileInode inode, String why) {
        return new FileException(
                new FileFailure.NotPermitted(), inode.key() + " cannot be opened now: " + why + "; close it first");
    }
}
