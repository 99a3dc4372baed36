package s3csi.filesystem.failure;

import s3csi.s3.StoreFailure;

/** Why an operation on a file or directory was refused or failed. */
public sealed interface FileFailure {
    /** No such name, or the directory it was to be in was removed. */
    record NotFound() implements FileFailure {}

    /** The number stands for something that is gone or was replaced by another version; walking the path again helps. */
    record Stale() implements FileFailure {}

    /** A component that no file of this mount can have. */
    record InvalidName() implements FileFailure {}

    /** The name or the key would be longer than stores allow. */
    record NameTooLong() implements FileFailure {}

    record NotADirectory() implements FileFailure {}

    record IsADirectory() implements FileFailure {}

    record AlreadyExists() implements FileFailure {}

    record NotEmpty() implements FileFailure {}

    /** The configuration of the mount, or somebody who has the file open, forbids it. */
    record NotPermitted() implements FileFailure {}

    /** The whole mount is read-only. */
    record ReadOnly() implements FileFailure {}

    /** The object must be restored from the archive first. */
    record Archived() implements FileFailure {}

    /** The handle is unknown, of the other direction, or was superseded by a newer open. */
    record WrongHandle() implements FileFailure {}

    /** No memory for one more file that is being written. */
    record TooManyWriters() implements FileFailure {}

    /** No memory for one more file or directory that exists only here. */
    record NoRoom() implements FileFailure {}

    /** Files are written from the beginning to the end. */
    record NotSequential() implements FileFailure {}

    /** The file would have more parts than an upload may have. */
    record TooLarge() implements FileFailure {}

    /** A flag, size or type that objects cannot have. */
    record NotSupported() implements FileFailure {}

    /** Stores cannot rename; the answer makes programs copy instead. */
    record CannotRename() implements FileFailure {}

    /** A question about names failed. */
    record StoreFailed(StoreFailure failure) implements FileFailure {}

    /** Bytes could not be fetched. */
    record ReadFailed(StoreFailure failure) implements FileFailure {}

    /** The file could not be stored, or not all of it. */
    record UploadFailed(StoreFailure failure) implements FileFailure {}

    /** Bytes changed between the program that wrote them and the store. */
    record Corrupted() implements FileFailure {}

    /** A fault in this program, or its own memory is used up. */
    record Broken() implements FileFailure {}

    /** The file system is being closed. */
    record ShuttingDown() implements FileFailure {}
}
