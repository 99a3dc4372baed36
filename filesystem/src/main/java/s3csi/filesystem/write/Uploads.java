package s3csi.filesystem.write;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectStore;

/** What all files being written share. For any number of threads. */
public final class Uploads {
    /** Up to this size a file takes single buffers; beyond, a whole part is set aside for it. */
    static final long SMALL = 8L * BufferPool.BUFFER_SIZE;

    /** How long a writer waits for one of the others before it is told that there are too many. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ObjectStore store;
    private final BufferPool pool;
    private final UploadSettings settings;

    /**
     * One for each part that memory has room for. A file that is open and not written to keeps its part, so without this limit a
     * program with too many such files would wait for itself.
     */
    private final Semaphore largeWriters;

    private final Set<MultipartUpload> running = ConcurrentHashMap.newKeySet();

    public Uploads(ObjectStore store, BufferPool pool, UploadSettings settings) {
        this.store = store;
        this.pool = pool;
        this.settings = settings;
        long parts = pool.largestReservation(Priority.WRITE) / settings.partSize();
        if (parts < 1) {
            throw new IllegalArgumentException("parts of " + settings.partSize()
                    + " bytes do not fit into a memory budget of " + pool.budget()
                    + " bytes; choose a smaller write part size or more memory");
        }
        this.largeWriters = new Semaphore(Math.clamp(parts, 1, Integer.MAX_VALUE), true);
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

    boolean tryEnterLarge() {
        return largeWriters.tryAcquire();
    }

    void enterLarge() throws FileException, InterruptedException {
        if (!largeWriters.tryAcquire(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new FileException(
                    new FileFailure.TooManyWriters(),
                    "more large files are open for writing than memory has room for; close some of them, or raise the"
                            + " memory target");
        }
    }

    void leaveLarge() {
        largeWriters.release();
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
