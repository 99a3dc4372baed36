package s3csi.filesystem.write;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.s3.ByteRange;
import s3csi.s3.Condition;
import s3csi.s3.CopySource;
import s3csi.s3.ETag;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.StoreException;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.UploadedPart;

/**
 * Parts of one file on their way to the store, each on a virtual thread. It is begun when the first part is sent, and ends by
 * {@link #complete} or {@link #abort}, whatever happens.
 */
final class MultipartUpload {
    private static final Logger LOG = LoggerFactory.getLogger(MultipartUpload.class);

    /** The most that a store copies into one part. */
    private static final long LARGEST_COPY = 5L << 30;

    private final Uploads uploads;
    private final String key;

    // Guarded by this.
    private final List<UploadedPart> done = new ArrayList<>();
    private final Set<Thread> sending = new HashSet<>();
    private int numbered;
    private boolean hasCopies;
    private boolean creating;
    private @Nullable Upload upload;
    private @Nullable FileException failure;
    private boolean ended;

    MultipartUpload(Uploads uploads, String key) {
        this.uploads = uploads;
        this.key = key;
        uploads.begun(this);
    }

    // ---- parts

    /** How many parts it takes to copy an object. */
    static long copies(StoredCopy stored) {
        return (stored.size() + LARGEST_COPY - 1) / LARGEST_COPY;
    }

    /** Begins with the bytes of an object that the store has, without moving them. */
    void copy(StoredCopy stored) throws FileException {
        long count = copies(stored);
        CopySource source = new CopySource(key, stored.etag());
        synchronized (this) {
            hasCopies = true;
        }
        for (long i = 0; i < count; i++) {
            ByteRange range = ByteRange.between(stored.size() * i / count, stored.size() * (i + 1) / count);
            int number = nextNumber();
            start(() -> uploads.store().copyPart(created(), number, source, range));
        }
    }

    /** Sends the part unless too many are under way; it belongs to the upload if so. */
    boolean trySend(FilledPart part) throws FileException {
        synchronized (this) {
            checkRunning();
            if (sending.size() >= uploads.settings().parallelParts()) {
                return false;
            }
        }
        int number = nextNumber();
        start(() -> {
            try (part) {
                return sendPart(number, part);
            }
        });
        return true;
    }

    /** Waits until another part may be sent, or something failed. */
    void awaitRoom() throws FileException, InterruptedException {
        synchronized (this) {
            while (failure == null
                    && !ended
                    && sending.size() >= uploads.settings().parallelParts()) {
                wait();
            }
            checkRunning();
        }
    }

    private synchronized int nextNumber() throws FileException {
        if (numbered == UploadedPart.MOST_PARTS) {
            throw tooLarge(key);
        }
        return ++numbered;
    }

    static FileException tooLarge(String key) {
        return new FileException(
                new FileFailure.TooLarge(),
                key + " needs more than " + UploadedPart.MOST_PARTS + " parts; raise the write part size");
    }

    private UploadedPart sendPart(int number, FilledPart part)
            throws StoreException, FileException, InterruptedException {
        Upload into = created();
        boolean storeVerifies = into.checksum() == UploadChecksum.CRC32C;
        UploadedPart sent =
                uploads.store().uploadPart(into, number, storeVerifies ? part.unverifiedPayload() : part.payload());
        String echoed = sent.checksum();
        if (storeVerifies && (echoed == null || !echoed.equals(MemoryChecksums.base64(part.receivedChecksum())))) {
            // Either the store kept other bytes than came from the kernel, or it keeps no checksum to tell.
            part.payload();
            if (echoed != null) {
                throw FilledPart.corrupted();
            }
        }
        return sent;
    }

    private interface Sending {
        UploadedPart send() throws StoreException, FileException, InterruptedException;
    }

    private void start(Sending work) {
        Thread thread = Thread.ofVirtual().name("upload-part").unstarted(() -> run(work));
        synchronized (this) {
            sending.add(thread);
        }
        thread.start();
    }

    private void run(Sending work) {
        try {
            UploadedPart part = work.send();
            synchronized (this) {
                done.add(part);
            }
        } catch (StoreException e) {
            fail(FileException.ofUpload(e));
        } catch (FileException e) {
            fail(e);
        } catch (InterruptedException e) {
            fail(shuttingDown());
        } catch (RuntimeException | Error e) {
            LOG.error("sending a part of {} failed unexpectedly", key, e);
            fail(FilledPart.corrupted());
        } finally {
            synchronized (this) {
                sending.remove(Thread.currentThread());
                notifyAll();
            }
        }
    }

    private FileException shuttingDown() {
        return new FileException(new FileFailure.ShuttingDown(), "the upload of " + key + " was given up");
    }

    private synchronized void fail(FileException e) {
        if (failure == null) {
            failure = e;
        }
        notifyAll();
    }

    private void checkRunning() throws FileException {
        if (failure != null) {
            throw failure;
        }
        if (ended) {
            throw shuttingDown();
        }
    }

    // ---- beginning

    /** The upload, begun by whoever needs it first. */
    private Upload created() throws StoreException, FileException, InterruptedException {
        synchronized (this) {
            while (creating && upload == null && failure == null) {
                wait();
            }
            if (upload != null) {
                return upload;
            }
            checkRunning();
            creating = true;
        }
        // Not on this thread: an interrupt between the request and its answer would leave an upload that nobody knows.
        Thread.ofVirtual().name("upload-create").start(this::create);
        synchronized (this) {
            while (upload == null && failure == null) {
                wait();
            }
            if (upload == null) {
                checkRunning();
                throw shuttingDown();
            }
            return upload;
        }
    }

    private void create() {
        try {
            Upload made = createdInStore();
            uploads.begun(made);
            synchronized (this) {
                upload = made;
                creating = false;
                notifyAll();
            }
        } catch (StoreException e) {
            endCreation(FileException.ofUpload(e));
        } catch (RuntimeException | Error e) {
            LOG.error("beginning an upload of {} failed unexpectedly", key, e);
            endCreation(shuttingDown());
        }
    }

    private Upload createdInStore() throws StoreException {
        boolean copies;
        synchronized (this) {
            copies = hasCopies;
        }
        ObjectAttributes attributes = uploads.attributesOf(key);
        return copies
                ? uploads.store().createUploadWithCopies(key, attributes)
                : uploads.store().createUpload(key, attributes);
    }

    private synchronized void endCreation(FileException e) {
        creating = false;
        fail(e);
    }

    // ---- ending

    /** Waits for all parts and makes the object of them. On failure the upload is aborted. */
    ETag complete() throws FileException, InterruptedException {
        List<UploadedPart> parts;
        Upload whole;
        synchronized (this) {
            while (failure == null && !ended && !sending.isEmpty()) {
                wait();
            }
            checkRunning();
            parts = new ArrayList<>(done);
            whole = upload;
        }
        if (whole == null) {
            throw new IllegalStateException("an upload without parts cannot be completed");
        }
        parts.sort(Comparator.comparingInt(UploadedPart::number));
        ETag etag;
        try {
            etag = uploads.store().completeUpload(whole, parts, Condition.NONE);
        } catch (StoreException e) {
            throw FileException.ofUpload(e);
        }
        uploads.ended(whole);
        end();
        return etag;
    }

    /** Gives the upload up, in the background. */
    void abort() {
        synchronized (this) {
            if (ended) {
                return;
            }
            fail(shuttingDown());
            sending.forEach(Thread::interrupt);
        }
        Thread.ofVirtual().name("upload-abort").start(this::abortWhenQuiet);
    }

    private void abortWhenQuiet() {
        try {
            Upload begun;
            synchronized (this) {
                // A part that arrives after the abort would stay in the store and be paid for.
                while (creating || !sending.isEmpty()) {
                    wait();
                }
                if (ended) {
                    return;
                }
                begun = upload;
            }
            if (begun != null) {
                uploads.abort(begun);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error("aborting the upload of {} failed unexpectedly", key, e);
        } finally {
            end();
        }
    }

    private void end() {
        synchronized (this) {
            ended = true;
            notifyAll();
        }
        uploads.ended(this);
    }

    /** Waits until the upload has ended, or the monotonic time is reached. */
    void awaitEnd(long until) throws InterruptedException {
        synchronized (this) {
            long left = until - System.nanoTime();
            while (!ended && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = until - System.nanoTime();
            }
        }
    }
}
