package s3csi.filesystem.write;

import s3csi.filesystem.failure.FileException;

/**
 * The life of a file that is written. {@link FileUpload} has all steps from one state to the next:
 *
 * <pre>
 * Untouched, Stored --> Resuming --> Buffered, InParts     bytes come
 * Buffered          --> InParts                            more bytes than fit into a part
 * Buffered, InParts --> Stored                             close, fsync
 * Resuming, InParts --> Stored                             no byte came after all
 * any of these      --> Buffered                           truncated to nothing
 * any of these      --> Discarded                          its name was removed
 * any               --> Failed                             for good
 * </pre>
 */
sealed interface FileState {
    /** Opened to be written on behind the end of an object, and not written to yet. */
    record Untouched(StoredCopy copy) implements FileState {}

    /** About to take bytes behind the end of what is stored; none came yet. */
    record Resuming(StoredCopy copy, boolean isHere) implements FileState {}

    /** All of it is in memory, from the first byte on, and the store does not have it like that. */
    record Buffered() implements FileState {}

    /**
     * Its first bytes are in the store, or on their way there, as parts of an upload; the last ones are in memory.
     *
     * @param beginning the bytes that a server-side copy makes the first parts of
     */
    record InParts(MultipartUpload upload, Beginning beginning) implements FileState {}

    /** The first bytes of an upload that are copied in the store, and how many parts they take. */
    record Beginning(long bytes, long parts) {
        static final Beginning NONE = new Beginning(0, 0);
    }

    /**
     * The store has it as it is.
     *
     * @param isHere whether all of it is in memory, too
     */
    record Stored(StoredCopy copy, boolean isHere) implements FileState {}

    /** It is not stored any more; every call says why. What was stored before stays. */
    record Failed(FileException reason) implements FileState {}

    /** Its name was removed: bytes are taken and go nowhere. */
    record Discarded() implements FileState {}
}
