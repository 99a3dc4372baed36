package s3csi.filesystem.inode;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;

/**
 * Who may have a file open together with whom: any number of readers, or one writer. A reader or writer whose descriptor was closed
 * once ("flushed") makes room, because a program that closed a file expects to open it again; what it left unstored is stored
 * first.
 */
public final class OpenRules {
    private final InodeTable table;

    public OpenRules(InodeTable table) {
        this.table = table;
    }

    /** Whether opening must wait for somebody's upload. */
    public boolean mustWait(FileInode inode) {
        synchronized (table) {
            Writer writer = writerOf(inode);
            return writer != null && !writer.isActive() && !writer.isComplete();
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
        synchronized (table) {
            Writer writer = writerOf(inode);
            if (writer == null && inode.local != null) {
                throw inUse(inode, "it was created and not written yet");
            }
            if (writer != null && !writer.isComplete()) {
                if (writer.isActive()) {
                    throw inUse(inode, "it is being written");
                }
                return null;
            }
            openings(inode).activeReaders++;
            inode.pins++;
            return new ReadClaim(inode);
        }
    }

    /** Opens a file for writing that was just created. */
    public void claimCreated(FileInode inode, Writer claimant) throws FileException {
        synchronized (table) {
            Openings openings = openings(inode);
            if (!openings.isEmpty()) {
                throw inUse(inode, "somebody else opened it first");
            }
            openings.writer = claimant;
            inode.pins++;
        }
    }

    /** Opens for writing. Waits for the upload of a writer that was closed, and takes over from it. */
    public void claimForWriting(FileInode inode, Writer claimant) throws FileException, InterruptedException {
        while (true) {
            Writer writer;
            synchronized (table) {
                Openings openings = openings(inode);
                writer = openings.writer;
                if (openings.activeReaders > 0) {
                    throw inUse(inode, "it is being read");
                }
                if (writer == null || (writer.isComplete() && !writer.isAboutToBegin())) {
                    if (writer != null) {
                        writer.supersede();
                    }
                    supersedeReaders(openings);
                    openings.writer = claimant;
                    inode.pins++;
                    return;
                }
                if (writer.isActive()) {
                    throw inUse(inode, "it is being written");
                }
            }
            writer.finish();
        }
    }

    private static void supersedeReaders(Openings openings) {
        for (ReadClaim claim : openings.parked) {
            claim.superseded = true;
        }
        openings.parked.clear();
    }

    /** Somebody closed a descriptor of the reader. */
    public void park(ReadClaim claim) {
        synchronized (table) {
            if (!claim.parked) {
                claim.parked = true;
                Openings openings = openings(claim.inode());
                openings.activeReaders--;
                openings.parked.add(claim);
            }
        }
    }

    /** The reader is used again, by somebody who has another descriptor of it. */
    public void resume(ReadClaim claim) throws FileException {
        synchronized (table) {
            if (claim.superseded) {
                throw new FileException(
                        new FileFailure.WrongHandle(),
                        claim.inode().key() + " was opened for writing after this descriptor was closed elsewhere");
            }
            if (claim.parked) {
                claim.parked = false;
                Openings openings = openings(claim.inode());
                openings.parked.remove(claim);
                openings.activeReaders++;
            }
        }
    }

    public void release(ReadClaim claim) {
        synchronized (table) {
            FileInode inode = claim.inode();
            Openings openings = openings(inode);
            if (!claim.parked) {
                openings.activeReaders--;
            } else {
                openings.parked.remove(claim);
            }
            claim.parked = true;
            claim.superseded = true;
            dropIfEmpty(inode, openings);
        }
        table.unpin(claim.inode());
    }

    public void release(FileInode inode, Writer writer) {
        synchronized (table) {
            Openings openings = openings(inode);
            if (writer.equals(openings.writer)) {
                openings.writer = null;
            }
            dropIfEmpty(inode, openings);
        }
        table.unpin(inode);
    }

    private static void dropIfEmpty(FileInode inode, Openings openings) {
        if (openings.isEmpty()) {
            inode.openings = null;
        }
    }

    private static Openings openings(FileInode inode) {
        Openings openings = inode.openings;
        if (openings == null) {
            openings = new Openings();
            inode.openings = openings;
        }
        return openings;
    }

    /** Who writes the file, or wrote it and has it open still. */
    public @Nullable Writer writer(FileInode inode) {
        synchronized (table) {
            return writerOf(inode);
        }
    }

    private static @Nullable Writer writerOf(FileInode inode) {
        return inode.openings == null ? null : inode.openings.writer;
    }

    private static FileException inUse(FileInode inode, String why) {
        return new FileException(
                new FileFailure.NotPermitted(), inode.key() + " cannot be opened now: " + why + "; close it first");
    }
}
