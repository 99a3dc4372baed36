package s3csi.filesystem.write;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Supplier;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.UploadedPart;

/**
 * The bytes of one file from its first to its last, and where they are ({@link FileState}). Not for several threads at once: the
 * handle's lock guards it. Only the state may be looked at by anybody.
 */
final class FileUpload {
    private final Uploads uploads;

    /** Asked for whenever it is needed: a file may be moved while all of it is here. */
    private final Supplier<String> key;

    private volatile FileState state;

    /** The last bytes of the file, not sent yet. */
    private FilledPart part;

    private final Claim claim;
    private long size;

    private FileUpload(Uploads uploads, Supplier<String> key, FileState state, long size) {
        this.uploads = uploads;
        this.key = key;
        this.part = uploads.newPart();
        this.claim = new Claim(uploads.slots());
        this.state = state;
        this.size = size;
    }

    /** A file that begins empty, whatever the store has under its key. */
    static FileUpload ofNew(Uploads uploads, Supplier<String> key) {
        return new FileUpload(uploads, key, new FileState.Buffered(), 0);
    }

    /** A file that goes on behind the end of an object. */
    static FileUpload behind(Uploads uploads, Supplier<String> key, ETag etag, long size) {
        return new FileUpload(uploads, key, new FileState.Untouched(new StoredCopy(etag, size)), size);
    }

    FileState state() {
        return state;
    }

    long size() {
        return size;
    }

    /** Whether a close has something to store: an empty file is stored only by the last one. */
    boolean hasNewBytes() {
        return switch (state) {
            case FileState.Buffered _ -> size > 0;
            case FileState.InParts _ -> true;
            case FileState.Untouched _,
                    FileState.Resuming _,
                    FileState.Stored _,
                    FileState.Failed _,
                    FileState.Discarded _ -> false;
        };
    }

    /** Whether the store does not have the file as it is, and should. */
    boolean isUnstored() {
        return switch (state) {
            case FileState.Buffered _, FileState.InParts _, FileState.Resuming _ -> true;
            case FileState.Untouched _, FileState.Stored _, FileState.Failed _, FileState.Discarded _ -> false;
        };
    }

    void checkHealthy() throws FileException {
        if (state instanceof FileState.Failed(FileException reason)) {
            throw reason;
        }
    }

    // ---- taking bytes

    /** Bytes are about to come. True if the store had the file as it was, which ends now. */
    boolean resume() {
        FileState before = state;
        state = switch (before) {
            case FileState.Untouched(StoredCopy copy) -> new FileState.Resuming(copy, copy.size() == 0);
            case FileState.Stored(StoredCopy copy, boolean isHere) -> new FileState.Resuming(copy, isHere);
            case FileState.Resuming _,
                    FileState.Buffered _,
                    FileState.InParts _,
                    FileState.Failed _,
                    FileState.Discarded _ -> before;
        };
        return !before.equals(state);
    }

    /** If no byte came since {@link #resume}, the store still has the file as it is. */
    void settle(Consumer<StoredCopy> stored) {
        if (state instanceof FileState.Resuming(StoredCopy copy, boolean isHere)) {
            stored.accept(copy);
            state = new FileState.Stored(copy, isHere);
        }
    }

    /** Whether bytes can be taken without asking the store for those before them. */
    boolean isReady() {
        return switch (state) {
            case FileState.Untouched(StoredCopy copy) -> copy.size() == 0 || mustCopy(copy);
            case FileState.Resuming(StoredCopy copy, boolean isHere) -> isHere || mustCopy(copy);
            case FileState.Stored(StoredCopy copy, boolean isHere) -> isHere || mustCopy(copy);
            case FileState.Buffered _, FileState.InParts _, FileState.Failed _, FileState.Discarded _ -> true;
        };
    }

    /** Takes bytes as far as that works without waiting, and says how many. */
    long tryAppend(MemorySegment bytes) throws FileException {
        if (state instanceof FileState.Discarded) {
            return accept(bytes.byteSize());
        }
        if (!isReady()) {
            return 0;
        }
        checkLimit(bytes.byteSize());
        long taken = 0;
        while (taken < bytes.byteSize()) {
            if (part.isFull() && !trySendPart()) {
                break;
            }
            MemorySegment rest = bytes.asSlice(taken);
            if (!claim.tryCover(part.buffersWith(rest.byteSize()))) {
                break;
            }
            long count = accept(part.tryAppend(rest));
            taken += count;
            if (count == 0) {
                break;
            }
        }
        return taken;
    }

    /** Takes all of the bytes, waiting for memory and for parts under way. Interrupted, it says how many it took. */
    long append(MemorySegment bytes) throws FileException, InterruptedException {
        if (state instanceof FileState.Discarded) {
            return accept(bytes.byteSize());
        }
        return claim.atWork(() -> appendAll(bytes));
    }

    private long appendAll(MemorySegment bytes) throws FileException, InterruptedException {
        long taken = 0;
        try {
            bringBack();
            checkLimit(bytes.byteSize());
            while (taken < bytes.byteSize()) {
                if (part.isFull()) {
                    sendPart();
                }
                MemorySegment rest = bytes.asSlice(taken);
                claim.cover(part.buffersWith(rest.byteSize()));
                taken += fill(rest);
            }
            return taken;
        } catch (InterruptedException e) {
            if (taken > 0) {
                Thread.currentThread().interrupt();
                return taken;
            }
            throw e;
        } catch (FileException e) {
            // The file is as good as before, so what was taken must be reported.
            if (taken > 0 && e.failure() instanceof FileFailure.TooManyWriters) {
                return taken;
            }
            throw e;
        }
    }

    private long fill(MemorySegment bytes) throws FileException, InterruptedException {
        long before = part.size();
        try {
            part.append(bytes);
        } catch (InterruptedException e) {
            if (part.size() == before) {
                throw e;
            }
            Thread.currentThread().interrupt();
        }
        return accept(part.size() - before);
    }

    private long accept(long count) throws FileException {
        if (count > 0) {
            size += count;
            if (state instanceof FileState.Resuming(StoredCopy copy, boolean isHere)) {
                if (isHere) {
                    state = new FileState.Buffered();
                } else {
                    beginParts().copy(copy);
                }
            }
        }
        return count;
    }

    private void checkLimit(long more) throws FileException {
        FileState.Beginning beginning = beginning();
        if (size + more
                > beginning.bytes()
                        + (UploadedPart.MOST_PARTS - beginning.parts())
                                * uploads.settings().partSize()) {
            throw MultipartUpload.tooLarge(key.get());
        }
    }

    /** What is copied before the first byte that is sent. */
    private FileState.Beginning beginning() {
        return switch (state) {
            case FileState.InParts(MultipartUpload _, FileState.Beginning beginning) -> beginning;
            case FileState.Resuming(StoredCopy copy, boolean isHere)
            when !isHere -> new FileState.Beginning(copy.size(), MultipartUpload.copies(copy));
            case FileState.Resuming _,
                    FileState.Untouched _,
                    FileState.Stored _,
                    FileState.Buffered _,
                    FileState.Failed _,
                    FileState.Discarded _ -> FileState.Beginning.NONE;
        };
    }

    // ---- sending

    private boolean trySendPart() throws FileException {
        if (beginParts().trySend(part)) {
            part = uploads.newPart();
            claim.giveUp();
            return true;
        }
        return false;
    }

    private void sendPart() throws FileException, InterruptedException {
        while (!trySendPart()) {
            beginParts().awaitRoom();
        }
    }

    private MultipartUpload beginParts() {
        if (state instanceof FileState.InParts(MultipartUpload upload, FileState.Beginning _)) {
            return upload;
        }
        FileState.Beginning beginning = beginning();
        MultipartUpload begun = new MultipartUpload(uploads, key.get());
        state = new FileState.InParts(begun, beginning);
        return begun;
    }

    // ---- going on behind what was stored

    /** Fetches what is stored, where it is too small to be a part of its own and not here any more. */
    private void bringBack() throws FileException, InterruptedException {
        if (isReady() || !(state instanceof FileState.Resuming(StoredCopy copy, boolean _))) {
            return;
        }
        boolean isHere = false;
        try {
            claim.cover(part.buffersWith(copy.size()));
            StoredBytes.fetch(uploads.store(), key.get(), copy, part);
            isHere = true;
            state = new FileState.Resuming(copy, true);
        } finally {
            if (!isHere) {
                letGoOfPart();
            }
        }
    }

    private boolean mustCopy(StoredCopy copy) {
        return copy.size() >= uploads.settings().partSize();
    }

    // ---- storing

    /**
     * Makes the store have the file as it is, if it does not. Waits. On failure nothing more can be done with the file.
     *
     * @param stored told of it before others see the file as stored
     */
    void store(boolean evenEmpty, Consumer<StoredCopy> stored) throws FileException, InterruptedException {
        checkHealthy();
        if (!isUnstored() || !(evenEmpty || hasNewBytes())) {
            return;
        }
        ETag etag = claim.atWork(() -> state instanceof FileState.InParts(MultipartUpload upload, FileState.Beginning _)
                ? complete(upload)
                : put());
        StoredCopy now = new StoredCopy(etag, size);
        stored.accept(now);
        state = new FileState.Stored(now, part.size() == size);
    }

    private ETag put() throws FileException {
        Payload body = part.payload();
        String target = key.get();
        ETag etag;
        try {
            etag = uploads.store().put(target, body, uploads.attributesOf(target), Condition.NONE);
        } catch (StoreException e) {
            throw FileException.ofUpload(e);
        }
        if (claim.isPart()) {
            // Most files are not written again after a close; what is can be fetched.
            letGoOfPart();
        }
        return etag;
    }

    private ETag complete(MultipartUpload upload) throws FileException, InterruptedException {
        if (part.size() > 0) {
            sendPart();
        }
        ETag etag = upload.complete();
        letGoOfPart();
        return etag;
    }

    private void letGoOfPart() {
        part.close();
        part = uploads.newPart();
        claim.giveUp();
    }

    // ---- giving up

    /** Remembers why the file cannot be stored, and gives back all it holds; the first reason counts. */
    FileException fail(FileException e) {
        if (state instanceof FileState.Failed(FileException reason)) {
            return reason;
        }
        giveUp(new FileState.Failed(e));
        return e;
    }

    /** The file is empty again. */
    void truncate() {
        giveUp(state instanceof FileState.Discarded ? state : new FileState.Buffered());
        size = 0;
    }

    /** The name is gone: what was written and what will be goes nowhere. */
    void discard() {
        if (!(state instanceof FileState.Failed)) {
            giveUp(new FileState.Discarded());
        }
    }

    /** Gives back the memory of a file that needs none any more. */
    void close() {
        if (state instanceof FileState.Stored(StoredCopy copy, boolean _)) {
            giveUp(new FileState.Stored(copy, copy.size() == 0));
        } else {
            letGoOfPart();
        }
    }

    private void giveUp(FileState next) {
        if (state instanceof FileState.InParts(MultipartUpload upload, FileState.Beginning _)) {
            upload.abort();
        }
        state = next;
        letGoOfPart();
    }
}
