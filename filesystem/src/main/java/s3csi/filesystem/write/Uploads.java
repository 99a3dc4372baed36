package s3csi.filesystem.write;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectStore;

/** What all files being written share. For any number of threads. */
public final class Uploads {
    private final ObjectStore store;
    private final BufferPool pool;
    private final UploadSettings settings;

    private final WriterSlots slots;
    private final Set<MultipartUpload> running = ConcurrentHashMap.newKeySet();

    public Uploads(ObjectStore store, BufferPool pool, UploadSettings settings) {
        this.store = store;
        this.pool = pool;
        this.settings = settings;
        this.slots = WriterSlots.forPool(pool, settings);
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

    /** Aborts whatever was begun and not ended, and waits that long for it at most. */
    public void abortAll(Duration patience) throws InterruptedException {
        for (MultipartUpload upload : running) {
            upload.abort();
        }
        long end = System.nanoTime() + patience.toNanos();
        for (MultipartUpload upload : running) {
            upload.awaitEnd(end);
        }
    }
}
