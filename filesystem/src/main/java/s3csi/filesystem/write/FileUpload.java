package s3csi.filesystem.write;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.UploadedPart;

/**
 * The bytes of one file from its first to its last, and where they are: in the part that is being filled, in parts under way, or in
 * the object as it was stored last. Not for several threads at once: the handle's lock guards it.
 */
final class FileUpload {
    private final Uploads uploads;

    /** Asked for whenever it is needed: a file may be moved while all of it is here. */
    private final Supplier<String> key;

    /** The last bytes of the file, not sent yet. */
    private FilledPart part;

    /** The parts before, if there are any. */
    private @Nullable MultipartUpload parts;

    /** What the store has. While nothing was written since, that is the whole file. */
    private @Nullable Stored stored;

    /** Whether {@link #part} begins with the first byte of the file. */
    private boolean isWhole;

    private long size;
    private boolean hasNewBytes;

    /** Whether the store has to be told: of new bytes, or that the file is empty now. */
    private boolean mustStore;

    /** Bytes and parts that a server-side copy began the parts with. */
    private long copied;

    private long copies;

    private final Claim claim;
    private boolean isDiscarded;
    private @Nullable FileException failure;

    private FileUpload(Uploads uploads, Supplier<String> key, @Nullable Stored stored) {
        this.uploads = uploads;
        this.key = key;
        this.part = uploads.newPart();
        this.claim = new Claim(uploads.slots());
        this.stored = stored;
        this.isWhole = stored == null || stored.size() == 0;
        this.size = stored == null ? 0 : stored.size();
        this.mustStore = stored == null;
    }

    /** A file that begins empty, whatever the store has under its key. */
    static FileUpload ofNew(Uploads uploads, Supplier<String> key) {
        return new FileUpload(uploads, key, null);
    }

    /** A file that goes on behind the end of an object. */
    static FileUpload behind(Uploads uploads, Supplier<String> key, ETag etag, long size) {
        return new FileUpload(uploads, key, new Stored(etag, size));
    }

    long size() {
        return size;
    }

    /** Whether bytes came since the file was stored last. */
    boolean hasNewBytes() {
        return hasNewBytes;
    }

    /** Whether the store does not have the file as it is. */
    boolean mustStore() {
        return mustStore && !isDiscarded && failure == null;
    }

    /** Whether the store has the file as it is, because it was stored and nothing came since. */
    boolean isAsStored() {
        return stored != null && !mustStore && !isDiscarded;
    }

    /** Whether nothing of the file is in the store or on its way there, so that it can still get another key. */
    boolean isAllHere() {
        return stored == null && parts == null && failure == null;
    }

    Stored lastStored() {
        return Objects.requireNonNull(stored, "nothing was stored");
    }

    void checkHealthy() throws FileException {
        if (failure != null) {
            throw failure;
        }
    }

    boolean isHealthy() {
        return failure == null;
    }

    boolean isDiscarded() {
        return isDiscarded;
    }

    // ---- taking bytes

    /** Takes bytes as far as that works without waiting, and says how many. */
    long tryAppend(MemorySegment bytes) throws FileException {
        if (isDiscarded) {
            return accept(bytes.byteSize());
        }
        if (!canResumeNow()) {
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
        if (isDiscarded) {
            return accept(bytes.byteSize());
        }
        return claim.atWork(() -> appendAll(bytes));
    }

    private long appendAll(MemorySegment bytes) throws FileException, InterruptedException {
        long taken = 0;
        try {
            resume();
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

    private long fill(MemorySegment bytes) throws InterruptedException {
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

    private long accept(long count) {
        if (count > 0) {
            size += count;
            hasNewBytes = true;
            mustStore = true;
        }
        return count;
    }

    private void checkLimit(long more) throws FileException {
        if (size + more
                > copied
                        + (UploadedPart.MOST_PARTS - copies)
                                * uploads.settings().partSize()) {
            throw MultipartUpload.tooLarge(key.get());
        }
    }

    // ---- sending

    private boolean trySendPart() throws FileException {
        if (begunParts().trySend(part)) {
            part = uploads.newPart();
            claim.giveUp();
            return true;
        }
        return false;
    }

    private void sendPart() throws FileException, InterruptedException {
        while (!trySendPart()) {
            begunParts().awaitRoom();
        }
    }

    private MultipartUpload begunParts() {
        MultipartUpload begun = parts;
        if (begun == null) {
            begun = new MultipartUpload(uploads, key.get());
            parts = begun;
            isWhole = false;
        }
        return begun;
    }

    // ---- going on behind what was stored

    /** Whether bytes can be taken without fetching or copying first. */
    private boolean canResumeNow() throws FileException {
        if (isWhole || parts != null) {
            return true;
        }
        if (mustCopy()) {
            copyStored();
            return true;
        }
        return false;
    }

    private void resume() throws FileException, InterruptedException {
        if (!canResumeNow() && stored != null) {
            // Too small to be a part of its own, small enough to be fetched.
            claim.cover(part.buffersWith(stored.size()));
            try {
                StoredBytes.fetch(uploads.store(), key.get(), stored, part);
                isWhole = true;
            } finally {
                if (!isWhole) {
                    letGoOfPart();
                }
            }
        }
    }

    private boolean mustCopy() {
        return stored != null && stored.size() >= uploads.settings().partSize();
    }

    private void copyStored() throws FileException {
        if (stored != null) {
            copies = begunParts().copy(stored);
            copied = stored.size();
        }
    }

    // ---- storing

    /** Makes the store have the file as it is. Waits. On failure nothing more can be done with the file. */
    Stored store() throws FileException, InterruptedException {
        checkHealthy();
        ETag etag = claim.atWork(() -> parts == null ? put() : completeParts());
        Stored now = new Stored(etag, size);
        stored = now;
        hasNewBytes = false;
        mustStore = false;
        return now;
    }

    private ETag put() throws FileException {
        Payload body = part.payload();
        String target = key.get();
        ETag etag;
        try {
            etag = uploads.store().put(target, body, uploads.attributesOf(target), Condition.NONE);
        } catch (StoreException e) {
            etag = LostAnswer.ofPut(uploads.store(), target, body, e);
        }
        if (claim.isPart()) {
            // Most files are not written again after a close; what is can be fetched.
            letGoOfPart();
        }
        return etag;
    }

    private ETag completeParts() throws FileException, InterruptedException {
        MultipartUpload begun = begunParts();
        if (part.size() > 0) {
            sendPart();
        }
        ETag etag = begun.complete();
        parts = null;
        copies = 0;
        copied = 0;
        letGoOfPart();
        return etag;
    }

    private void letGoOfPart() {
        part.close();
        part = uploads.newPart();
        isWhole = false;
        claim.giveUp();
    }

    // ---- giving up

    /** Remembers why the file cannot be stored, and gives back all it holds. */
    FileException fail(FileException e) {
        if (failure == null) {
            failure = e;
        }
        giveUp();
        return failure;
    }

    /** The file is empty again. */
    void truncate() {
        giveUp();
        stored = null;
        isWhole = true;
        size = 0;
        hasNewBytes = false;
        mustStore = true;
    }

    /** The name is gone: what was written and what will be goes nowhere. */
    void discard() {
        isDiscarded = true;
        giveUp();
    }

    /** Gives back what it holds; whatever was not stored is lost. */
    void close() {
        giveUp();
    }

    private void giveUp() {
        MultipartUpload begun = parts;
        if (begun != null) {
            begun.abort();
            parts = null;
        }
        copies = 0;
        copied = 0;
        letGoOfPart();
    }
}
