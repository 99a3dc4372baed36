package s3csi.testbed.differential;

import java.io.IOException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * What an action came to.
 *
 * @param kind {@code ok} or the kernel's word for the error
 * @param detail what was seen, where something was
 */
record Result(String kind, String detail) {
    static Result ok(String detail) {
        return new Result("ok", detail);
    }

    /** The JDK gives the error number as one of its exceptions, or as the text of strerror. */
    static Result of(IOException failure) {
        return new Result(
                switch (failure) {
                    case NoSuchFileException _ -> "ENOENT";
                    case FileAlreadyExistsException _ -> "EEXIST";
                    case AccessDeniedException _ -> "EACCES";
                    case DirectoryNotEmptyException _ -> "ENOTEMPTY";
                    case NotDirectoryException _ -> "ENOTDIR";
                    case AtomicMoveNotSupportedException _ -> "EXDEV";
                    case FileSystemException other -> named(String.valueOf(other.getReason()));
                    default -> named(String.valueOf(failure.getMessage()));
                },
                "");
    }

    /** The JDK did not even ask the kernel: both sides must agree about that too. */
    static Result refused(RuntimeException refusal) {
        return switch (refusal) {
            case NonReadableChannelException _ -> new Result("EBADF", "");
            case NonWritableChannelException _ -> new Result("EBADF", "");
            default -> throw refusal;
        };
    }

    private static String named(String text) {
        return switch (text) {
            case "No such file or directory" -> "ENOENT";
            case "Operation not permitted" -> "EPERM";
            case "Permission denied" -> "EACCES";
            case "Bad file descriptor" -> "EBADF";
            case "Input/output error" -> "EIO";
            case "File exists" -> "EEXIST";
            case "Is a directory" -> "EISDIR";
            case "Not a directory" -> "ENOTDIR";
            case "Directory not empty" -> "ENOTEMPTY";
            case "Invalid argument" -> "EINVAL";
            case "Function not implemented" -> "ENOSYS";
            case "Operation not supported" -> "ENOTSUP";
            case "Stale file handle" -> "ESTALE";
            case "Device or resource busy" -> "EBUSY";
            case "File too large" -> "EFBIG";
            default -> text.replace(' ', '-');
        };
    }

    @Override
    public String toString() {
        return detail.isEmpty() ? kind : kind + " " + detail;
    }
}
