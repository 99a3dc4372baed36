package s3csi.filesystem;

import s3csi.filesystem.failure.FileFailure;
import s3csi.linux.Errno;
import s3csi.s3.StoreFailure;

/** The one place that says which error number a program sees for which failure. */
final class ErrorNumbers {
    private ErrorNumbers() {}

    static int of(FileFailure failure) {
        return switch (failure) {
            case FileFailure.NotFound() -> Errno.ENOENT;
            case FileFailure.Stale() -> Errno.ESTALE;
            case FileFailure.InvalidName() -> Errno.EINVAL;
            case FileFailure.NameTooLong() -> Errno.ENAMETOOLONG;
            case FileFailure.NotADirectory() -> Errno.ENOTDIR;
            case FileFailure.IsADirectory() -> Errno.EISDIR;
            case FileFailure.AlreadyExists() -> Errno.EEXIST;
            case FileFailure.NotEmpty() -> Errno.ENOTEMPTY;
            case FileFailure.NotPermitted() -> Errno.EPERM;
            case FileFailure.ReadOnly() -> Errno.EROFS;
            case FileFailure.Archived() -> Errno.EACCES;
            case FileFailure.WrongHandle() -> Errno.EBADF;
            case FileFailure.TooManyWriters() -> Errno.ENOMEM;
            case FileFailure.NoRoom() -> Errno.ENOSPC;
            case FileFailure.NotSequential() -> Errno.EINVAL;
            case FileFailure.TooLarge() -> Errno.EFBIG;
            case FileFailure.NotSupported() -> Errno.EINVAL;
            case FileFailure.CannotRename() -> Errno.EXDEV;
            case FileFailure.StoreFailed(StoreFailure cause) -> of(cause, Errno.ENOENT, Errno.EIO);
            // A number is one version of an object: when the store has another one, the path leads elsewhere now.
            case FileFailure.ReadFailed(StoreFailure cause) -> of(cause, Errno.EIO, Errno.ESTALE);
            case FileFailure.UploadFailed(StoreFailure cause) -> of(cause, Errno.EIO, Errno.EIO);
            case FileFailure.Corrupted() -> Errno.EIO;
            case FileFailure.Broken() -> Errno.EIO;
            case FileFailure.ShuttingDown() -> Errno.EIO;
        };
    }

    /** What fsync says where write says something else: it may not tell of a file size. */
    static int ofSync(FileFailure failure) {
        return failure instanceof FileFailure.TooLarge ? Errno.ENOSPC : of(failure);
    }

    private static int of(StoreFailure failure, int ifAbsent, int ifChanged) {
        return switch (failure) {
            case StoreFailure.NoSuchKey _ -> ifAbsent;
            case StoreFailure.PreconditionFailed _ -> ifChanged;
            case StoreFailure.Forbidden _, StoreFailure.NoCredentials _, StoreFailure.Archived _ -> Errno.EACCES;
            case StoreFailure.Cancelled _ -> Errno.EINTR;
            case StoreFailure.NoSuchBucket _,
                    StoreFailure.NoSuchUpload _,
                    StoreFailure.RangeNotSatisfiable _,
                    StoreFailure.Throttled _,
                    StoreFailure.NotImplemented _,
                    StoreFailure.WrongRegion _,
                    StoreFailure.Integrity _,
                    StoreFailure.Unreachable _,
                    StoreFailure.Timeout _,
                    StoreFailure.CertificateNotTrusted _,
                    StoreFailure.ServerError _,
                    StoreFailure.Rejected _,
                    StoreFailure.Protocol _ -> Errno.EIO;
        };
    }
}
