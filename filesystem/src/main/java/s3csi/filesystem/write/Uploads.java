package s3csi.filesystem.write;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectStore;
import s3csi.s3.Upload;

/** What all files being written share. For any number of threads. */
public final class Uploads {
    private final ObjectStore store;
    private final BufferPool pool;
    private final UploadSettings settings;

    private final WriterSlots slots;
    private final Set<MultipartUpload> running = ConcurrentHashMap.newKeySet();
    private final @Nullable UploadNotes notes;
    private final Leftovers leftovers;
    private final Thread sweeper;

    public Uploads(ObjectStore store, BufferPool pool, UploadSettings settings) {
        this.store = store;
        this.pool = pool;
        this.settings = settings;
        this.slots = WriterSlots.forPool(pool, settings);
        this.notes = settings.notes() == null ? null : UploadNotes.in(settings.notes());
        this.leftovers = new Leftovers(store, this::ended);
        this.sweeper = Thread.ofVirtual().name("upload-sweep").start(this::sweep);
    }

    private void sweep() {
        if (notes != null) {
            notes.abortLeftovers(store);
        }
    }

    /** The largest part that memory of this budget has room for. */
    public static long largestPart(long budget) {
        return BufferPool.largestReservation(Priority.WRITE, budget);
    }

    ObjectStore store() {
        return store;
    }

    UploadSettings settings() {
        return settings;
    }

    FilledPart newPart() {
        return new FilledPart(pool, settings.partSize());
    }

    ObjectAttributes attributesOf(String key) {
        return settings.inferContentType() ? new ObjectAttributes(ContentTypes.of(key)) : ObjectAttributes.DEFAULTS;
    }

    WriterSlots slots() {
        return slots;
    }

    void begun(MultipartUpload upload) {
        running.add(upload);
    }

    void ended(MultipartUpload upload) {
        running.remove(upload);
    }

    /** An upload is in the store from now on. */
    void begun(Upload upload) {
        if (notes != null) {
            notes.begun(upload);
        }
    }

    /** An upload was completed or aborted. */
    void ended(Upload upload) {
        if (notes != null) {
            notes.ended(upload);
        }
    }

    /** Drops an upload and its parts, now or when the store is back. */
    void abort(Upload upload) {
        leftovers.abort(upload);
    }

    /** The end: aborts whatever was begun and not ended, and waits that long for it at most. */
    public void close(Duration patience) throws InterruptedException {
        for (MultipartUpload upload : running) {
            upload.abort();
        }
        long end = System.nanoTime() + patience.toNanos();
        for (MultipartUpload upload : running) {
            upload.awaitEnd(end);
        }
        sweeper.interrupt();
        sweeper.join();
        leftovers.close();
        if (notes != null) {
            notes.close();
        }
    }
}
