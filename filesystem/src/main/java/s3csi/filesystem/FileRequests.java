package s3csi.filesystem;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.FileInode;
import s3csi.filesystem.inode.InodeTable;
import s3csi.filesystem.inode.Lookups;
import s3csi.filesystem.inode.NumberSequence;
import s3csi.filesystem.inode.OpenRules;
import s3csi.filesystem.inode.ReadClaim;
import s3csi.filesystem.inode.Standing;
import s3csi.filesystem.inode.StoredVersion;
import s3csi.filesystem.inode.Writer;
import s3csi.filesystem.read.ObjectVersion;
import s3csi.filesystem.read.Readers;
import s3csi.filesystem.write.Uploads;
import s3csi.filesystem.write.WriteHandle;
import s3csi.fuse.DataReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.OpenFlags;
import s3csi.fuse.OpenReply;
import s3csi.fuse.WriteData;
import s3csi.fuse.WriteReply;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/** Requests on open files, and the opening itself. */
final class FileRequests {
    private static final Logger LOG = LoggerFactory.getLogger(FileRequests.class);

    private final InodeTable table;
    private final Lookups lookups;
    private final OpenRules rules;
    private final Readers readers;
    private final Uploads uploads;
    private final FileSystemConfig config;
    private final HandleTable<ReadHandle> reading;
    private final HandleTable<WriteHandle> writing;

    FileRequests(
            InodeTable table,
            Lookups lookups,
            OpenRules rules,
            Readers readers,
            Uploads uploads,
            FileSystemConfig config,
            NumberSequence handles) {
        this.table = table;
        this.lookups = lookups;
        this.rules = rules;
        this.readers = readers;
        this.uploads = uploads;
        this.config = config;
        this.reading = new HandleTable<>(handles, 0);
        this.writing = new HandleTable<>(handles, 1);
    }

    /** An open file: its number and the flags for the kernel. */
    record Opened(long handle, int flags) {}

    // ---- open

    void open(long node, int flags, OpenReply reply) throws FileException {
        FileInode inode = table.file(node);
        if (table.isLost(inode)) {
            throw stale(inode.key() + " was not stored under this number");
        }
        boolean isReadable = mode(inode, flags) == OpenMode.READ;
        if (isReadable && !mustAsk(inode, flags) && !rules.mustWait(inode)) {
            Opened opened = openForReading(inode, flags);
            if (opened != null) {
                reply.opened(opened.handle, opened.flags);
                return;
            }
        }
        Answering.later(reply, own -> {
            try {
                if (mustAsk(inode, flags)) {
                    revalidate(inode);
                }
                Opened opened = open(inode, flags);
                own.opened(opened.handle, opened.flags);
            } catch (FileException e) {
                if (e.failure() instanceof FileFailure.Stale) {
                    rules.makeWay(inode, isReadable);
                }
                throw e;
            }
        });
    }

    private OpenMode mode(FileInode inode, int flags) throws FileException {
        return OpenMode.of(flags, isNew(inode), config.permissions(), inode::key);
    }

    private boolean isNew(FileInode inode) {
        return table.isBeingWritten(inode) && rules.writer(inode) == null;
    }

    /** Whether the store must confirm that the number still stands for what the name leads to. */
    private boolean mustAsk(FileInode inode, int flags) {
        boolean isDirect = (flags & FileFlags.O_DIRECT) != 0;
        return !table.isBeingWritten(inode) && (isDirect || !config.caching().servesLookups() || !table.isFresh(inode));
    }

    private void revalidate(FileInode inode) throws FileException, InterruptedException {
        try {
            lookups.revalidate(inode);
        } catch (FileException e) {
            throw e.failure() instanceof FileFailure.NotFound ? stale(inode.key() + " does not exist any more") : e;
        }
    }

    /**
     * The kernel asked by a number that it remembers for the name. It then walks the path again: for a program that would make the file
     * if it is not there, the answer that it is not there would be the wrong one.
     */
    private static FileException stale(String message) {
        return new FileException(new FileFailure.Stale(), message);
    }

    /** Opens an inode of which the store was asked. Waits for uploads. */
    Opened open(FileInode inode, int flags) throws FileException, InterruptedException {
        return switch (mode(inode, flags)) {
            case READ -> {
                ReadClaim claim = rules.claimForReading(inode);
                yield openedForReading(claim, flags);
            }
            case WRITE_NEW -> openForWriting(WriteHandle.fromStart(uploads, table, rules, inode), flags);
            case WRITE_ON -> openForWriting(writeOn(inode), flags);
        };
    }

    private @Nullable Opened openForReading(FileInode inode, int flags) throws FileException {
        ReadClaim claim = rules.tryClaimForReading(inode);
        return claim == null ? null : openedForReading(claim, flags);
    }

    private Opened openedForReading(ReadClaim claim, int flags) throws FileException {
        FileInode inode = claim.inode();
        StoredVersion version = table.storedVersion(inode);
        if (version == null || !version.readable()) {
            rules.release(claim);
            throw version == null
                    ? stale(inode.key() + " was not stored")
                    : new FileException(
                            new FileFailure.Archived(),
                            inode.key() + " is archived; restore it in the store before reading it");
        }
        ObjectVersion object = new ObjectVersion(inode.key(), version.etag(), version.size());
        long handle = reading.add(new ReadHandle(claim, readers.open(object)));
        boolean isDirect = isDirect(flags);
        int open = isDirect ? OpenFlags.DIRECT_IO : 0;
        // A number is one version, so pages of earlier opens are right, except once after the file was written here.
        open |= !isDirect && table.takeKeepPages(inode) ? OpenFlags.KEEP_CACHE : 0;
        // Whether readers closed matters only where files may be written again.
        open |= config.permissions().changesFiles() ? 0 : OpenFlags.NOFLUSH;
        return new Opened(handle, open);
    }

    private WriteHandle writeOn(FileInode inode) throws FileException, InterruptedException {
        Writer before = rules.writer(inode);
        if (before != null && before.standing() == Standing.CLOSED) {
            before.finish();
        }
        StoredVersion version = table.storedVersion(inode);
        if (version == null) {
            throw new FileException(new FileFailure.NotPermitted(), inode.key() + " is being written");
        }
        return WriteHandle.fromEnd(
                uploads, table, rules, inode, version, config.permissions().overwrite());
    }

    private Opened openForWriting(WriteHandle handle, int flags) throws FileException, InterruptedException {
        rules.claimForWriting(handle.inode(), handle);
        return openedForWriting(handle, flags);
    }

    /** Opens a file that was just created, which nobody else can have open. */
    Opened openCreated(FileInode inode, int flags) throws FileException {
        WriteHandle handle = WriteHandle.fromStart(uploads, table, rules, inode);
        rules.claimCreated(inode, handle);
        return openedForWriting(handle, flags);
    }

    private Opened openedForWriting(WriteHandle handle, int flags) {
        handle.begin();
        return new Opened(writing.add(handle), isDirect(flags) ? OpenFlags.DIRECT_IO : 0);
    }

    /**
     * Whether the kernel is to keep no pages for an open file. Without pages it refuses to map a file to be changed and shared (ENODEV),
     * which takes a descriptor for reading and writing. It would show such changes to every reader, and they cannot be stored.
     */
    private static boolean isDirect(int flags) {
        return (flags & FileFlags.O_DIRECT) != 0 || (flags & FileFlags.O_ACCMODE) == FileFlags.O_RDWR;
    }

    // ---- reading

    void read(long handle, long offset, int size, DataReply reply) throws FileException {
        ReadHandle file = reading.find(handle);
        if (file == null) {
            readWritten(handle, offset, reply);
            return;
        }
        if (file.claim().isParked()) {
            rules.resume(file.claim());
        }
        if (!file.reader().readNow(offset, size, reply)) {
            Answering.later(reply, own -> {
                try {
                    file.reader().read(offset, size, own);
                } catch (StoreException e) {
                    if (isAboutAnotherVersion(e.failure())) {
                        table.disbelieve(file.claim().inode());
                    }
                    throw FileException.ofRead(e);
                }
            });
        }
    }

    /** What is being written cannot be read, but many programs look first whether there is anything, as in a new file. */
    private void readWritten(long handle, long offset, DataReply reply) throws FileException {
        WriteHandle file = writing.find(handle);
        if (file == null) {
            throw wrongHandle();
        }
        Answering.later(reply, own -> {
            if (!file.endsBefore(offset)) {
                throw wrongHandle();
            }
            own.send();
        });
    }

    /** Whether the object was replaced or deleted since it was looked up. */
    private static boolean isAboutAnotherVersion(StoreFailure failure) {
        return failure instanceof StoreFailure.PreconditionFailed || failure instanceof StoreFailure.NoSuchKey;
    }

    // ---- writing

    void write(long handle, long offset, WriteData data, int flags, WriteReply reply) throws FileException {
        WriteHandle file = writing.find(handle);
        if (file == null) {
            throw wrongHandle();
        }
        // Where it keeps no pages, the kernel sends the pieces of a large asynchronous write at the same time.
        boolean isPiece = isDirect(flags);
        long taken = file.tryWrite(offset, data.bytes(), isPiece);
        if (taken == data.size()) {
            reply.written(taken);
            return;
        }
        try {
            WriteData.Kept kept = isPiece ? data.keep() : data.keepSome();
            if (kept.bytes().byteSize() > taken) {
                writeLater(new Writing(file, offset, taken, isPiece), kept, reply);
            } else {
                // There is no memory for what is left, which the program writes again.
                kept.close();
                reply.written(taken);
            }
        } catch (RuntimeException | Error e) {
            // The program hears of a failed write, so what was taken of it must not be stored.
            file.broken(e);
            throw e;
        }
    }

    /** A write of which some bytes were taken at once. */
    private record Writing(WriteHandle file, long offset, long taken, boolean isPiece) {}

    private static void writeLater(Writing write, WriteData.Kept kept, WriteReply reply) {
        try {
            Answering.later(reply, own -> {
                try (kept) {
                    own.written(write.taken + writeRest(write, kept));
                }
            });
        } catch (RuntimeException | Error e) {
            kept.close();
            throw e;
        }
    }

    /** What is left is for the program to write again; what was taken must not be. */
    private static long writeRest(Writing write, WriteData.Kept kept) throws FileException, InterruptedException {
        try {
            MemorySegment rest = kept.bytes().asSlice(write.taken);
            return write.file.write(write.offset + write.taken, rest, write.isPiece);
        } catch (InterruptedException e) {
            if (write.taken > 0) {
                return 0;
            }
            throw e;
        } catch (FileException e) {
            if (write.taken > 0 && e.failure() instanceof FileFailure.TooManyWriters) {
                return 0;
            }
            throw e;
        }
    }

    void flush(long handle, EmptyReply reply) throws FileException {
        ReadHandle read = reading.find(handle);
        if (read != null) {
            rules.park(read.claim());
            reply.done();
            return;
        }
        WriteHandle file = writing.find(handle);
        if (file == null) {
            throw wrongHandle();
        }
        if (file.tryFlush()) {
            reply.done();
            return;
        }
        Answering.later(reply, own -> {
            file.flush();
            own.done();
        });
    }

    void fsync(long handle, EmptyReply reply) throws FileException {
        if (reading.find(handle) != null) {
            reply.done();
            return;
        }
        WriteHandle file = writing.find(handle);
        if (file == null) {
            throw wrongHandle();
        }
        Answering.later(reply, own -> {
            try {
                file.sync();
                own.done();
            } catch (FileException e) {
                Answering.refuse(own, e, ErrorNumbers.ofSync(e.failure()));
            }
        });
    }

    void release(long handle, EmptyReply reply) throws FileException {
        ReadHandle read = reading.remove(handle);
        if (read != null) {
            read.reader().close();
            rules.release(read.claim());
            reply.done();
            return;
        }
        WriteHandle file = writing.find(handle);
        if (file == null) {
            throw wrongHandle();
        }
        if (file.tryRelease()) {
            released(handle, file);
            reply.done();
            return;
        }
        Answering.later(reply, own -> {
            // Found until it is through, so that the end of the mount waits for it.
            file.release(() -> released(handle, file));
            own.done();
        });
    }

    private void released(long handle, WriteHandle file) {
        writing.remove(handle);
        rules.release(file);
    }

    /** The handle that writes the file, if somebody has it open. */
    @Nullable
    WriteHandle writer(FileInode inode) {
        return rules.writer(inode) instanceof WriteHandle handle ? handle : null;
    }

    /** Removes a file's name, after the store has deleted what it has there; false if somebody wrote or moved the file meanwhile. */
    boolean unlink(FileInode inode, WriteHandle.Deletion deletion) throws FileException, InterruptedException {
        WriteHandle writer = writer(inode);
        if (writer != null) {
            return writer.unlink(inode, deletion);
        }
        long since = table.now();
        return deletion.run() && rules.unlink(inode, null, since);
    }

    /** Moves a file that the store does not know; false if that has changed meanwhile. */
    boolean move(FileInode inode, DirectoryInode directory, String name) throws FileException, InterruptedException {
        WriteHandle writer = writer(inode);
        return writer == null ? rules.move(inode, null, directory, name) : writer.move(directory, name);
    }

    private static FileException wrongHandle() {
        return new FileException(new FileFailure.WrongHandle(), "the file is not open, or not for this");
    }

    // ---- the end

    /** The keys of what was written and is not stored. */
    List<String> unstored() {
        return writing.all().stream()
                .filter(WriteHandle::isUnstored)
                .map(file -> file.inode().key())
                .toList();
    }

    /** A file on its last way to the store. */
    private record Closing(WriteHandle file, Thread thread) {}

    /** Stores what programs have closed, gives up what they have not, and aborts every upload that is left. */
    void close(Duration storing, Duration aborting) throws InterruptedException {
        List<Closing> closing = writing.all().stream()
                .map(file ->
                        new Closing(file, Thread.ofVirtual().name("close-file").start(() -> close(file))))
                .toList();
        long end = System.nanoTime() + storing.toNanos();
        for (Closing each : closing) {
            boolean isOver = each.thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            // Of those that are still open for writing the log has a line already.
            if (!isOver && !each.file.isInUse()) {
                LOG.error(
                        "{} was closed, but the store did not confirm it before the mount ended; look whether the"
                                + " bucket has it",
                        each.file.inode().key());
            }
        }
        uploads.close(aborting);
        for (ReadHandle file : reading.all()) {
            file.reader().close();
        }
    }

    private static void close(WriteHandle file) {
        if (!file.isInUse()) {
            file.end();
            return;
        }
        if (file.isUnstored()) {
            LOG.error(
                    "{} was still being written when the mount ended; it was not stored",
                    file.inode().key());
        }
        file.close();
    }
}
