package s3csi.filesystem.failure;

import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/**
 * An operation on a file failed. Most of these are ordinary answers ("no such file"), so they carry no stack trace; the cause,
 * where there is one, has its own.
 */
public final class FileException extends Exception {
    private final FileFailure failure;

    public FileException(FileFailure failure, String message) {
        super(message, null, false, false);
        this.failure = failure;
    }

    private FileException(FileFailure failure, StoreException cause) {
        super(cause.getMessage(), cause, false, false);
        this.failure = failure;
    }

    public FileFailure failure() {
        return failure;
    }

    /** A question about names or attributes failed. */
    public static FileException ofStore(StoreException cause) {
        return new FileException(new FileFailure.StoreFailed(cause.failure()), cause);
    }

    public static FileException ofRead(StoreException cause) {
        return new FileException(new FileFailure.ReadFailed(cause.failure()), cause);
    }

    public static FileException ofUpload(StoreException cause) {
        return new FileException(new FileFailure.UploadFailed(cause.failure()), cause);
    }

    /** Whether this is the consequence of an interrupt or of closing the store, not a fault. */
    public boolean isCancelled() {
        return getCause() instanceof StoreException e && e.failure() instanceof StoreFailure.Cancelled;
    }
}
