package s3csi.filesystem.write;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.OwnDirectory;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;

/**
 * Notes on a local disk of uploads that were begun and have not ended, so that the next process can abort what one left behind that was
 * killed.
 *
 * <p>Nobody can tell from the bucket alone whether an unfinished upload is dead: its writer may live on another machine, and may be slow. So
 * only uploads are aborted of which a note says that a process began them that is no more: each process has a directory of its
 * own here, and holds a lock in it which the kernel takes from it when it dies. What goes wrong with the notes themselves is no
 * error of the file that is written.
 */
final class UploadNotes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UploadNotes.class);
    private static final String LOCK = "lock";

    private final Path directory;
    private final Path own;
    private final FileChannel lock;

    private UploadNotes(Path directory, Path own, FileChannel lock) {
        this.directory = directory;
        this.own = own;
        this.lock = lock;
    }

    /** Notes of this process in a directory that all processes share which mount the same bucket of the same store; null if it cannot be used. */
    static @Nullable UploadNotes in(Path directory) {
        try {
            UploadNotes notes = tryIn(directory);
            while (notes == null) {
                notes = tryIn(directory);
            }
            return notes;
        } catch (IOException e) {
            LOG.warn(
                    "unfinished uploads cannot be noted in {}, so they stay in the bucket should this process be killed: {}",
                    directory,
                    e.toString());
            return null;
        }
    }

    /** Null if somebody took the directory for that of a dead process before it was locked. */
    private static @Nullable UploadNotes tryIn(Path directory) throws IOException {
        Path own = directory.resolve(UUID.randomUUID().toString());
        var onlyOurs = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(directory, onlyOurs);
        // Notes that somebody else left are aborted and deleted, so they must not be anything else.
        OwnDirectory.require(directory);
        OwnDirectory.require(requireNonNull(directory.toAbsolutePath().getParent()));
        Files.createDirectory(own, onlyOurs);
        FileChannel lock = FileChannel.open(own.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean isOurs = false;
        try {
            lock.lock();
            isOurs = Files.exists(own.resolve(LOCK));
            return isOurs ? new UploadNotes(directory, own, lock) : null;
        } catch (OverlappingFileLockException _) {
            // Another file system of this very process looks at it.
            return null;
        } finally {
            if (!isOurs) {
                closeQuietly(lock);
            }
        }
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("a lock could not be closed: {}", e.toString());
        }
    }

    void begun(Upload upload) {
        try {
            Files.writeString(noteOf(upload), upload.id() + '\n' + upload.key(), StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            LOG.warn("the upload of {} could not be noted: {}", upload.key(), e.toString());
        }
    }

    /** It was completed or aborted. */
    void ended(Upload upload) {
        try {
            Files.deleteIfExists(noteOf(upload));
        } catch (IOException e) {
            LOG.warn("the note of the upload of {} could not be removed: {}", upload.key(), e.toString());
        }
    }

    private Path noteOf(Upload upload) {
        // Identifiers may be longer than a file name, and hold slashes.
        return own.resolve("upload-"
                + UUID.nameUUIDFromBytes((upload.id() + '\n' + upload.key()).getBytes(StandardCharsets.UTF_8)));
    }

    // ---- what others left

    /** Aborts what processes that are no more left behind. Waits for the store. */
    void abortLeftovers(ObjectStore store) {
        try {
            for (Path process : children(directory)) {
                if (!process.equals(own)) {
                    abortThoseOf(process, store);
                }
            }
        } catch (IOException e) {
            LOG.warn("unfinished uploads that others left behind cannot be found: {}", e.toString());
        }
    }

    private static void abortThoseOf(Path process, ObjectStore store) throws IOException {
        Path held = process.resolve(LOCK);
        if (!Files.exists(held)) {
            // Not made to the end yet, or just about to go.
            return;
        }
        try (FileChannel channel = FileChannel.open(held, StandardOpenOption.WRITE);
                FileLock taken = tryLock(channel)) {
            if (taken == null) {
                return;
            }
            for (Path note : children(process)) {
                if (!note.endsWith(LOCK) && abort(note, store)) {
                    Files.deleteIfExists(note);
                }
            }
            if (children(process).size() == 1) {
                Files.deleteIfExists(held);
                removeEmpty(process);
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException _) {
            // Somebody in this very process has it.
            return null;
        }
    }

    /** Whether the upload is no more. */
    private static boolean abort(Path note, ObjectStore store) throws IOException {
        String[] lines = Files.readString(note).split("\n", 2);
        if (lines.length < 2) {
            // The process died while it wrote this, or the disk was full.
            return true;
        }
        try {
            store.abortUpload(new Upload(lines[1], lines[0], UploadChecksum.OFF));
            LOG.info("aborted an unfinished upload of {} by a process that is no more", lines[1]);
            return true;
        } catch (StoreException e) {
            LOG.warn("an unfinished upload of {} could not be aborted: {}", lines[1], e.getMessage());
            return e.failure() instanceof StoreFailure.NoSuchUpload;
        }
    }

    private static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.toList();
        }
    }

    private static void removeEmpty(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException _) {
            // What could not be aborted stays noted.
        }
    }

    @Override
    public void close() {
        try {
            boolean isClean = children(own).size() == 1;
            if (isClean) {
                Files.deleteIfExists(own.resolve(LOCK));
                removeEmpty(own);
            }
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", own, e.toString());
        } finally {
            closeQuietly(lock);
        }
    }
}
