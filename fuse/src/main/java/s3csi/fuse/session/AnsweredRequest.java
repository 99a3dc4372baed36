package s3csi.fuse.session;

import org.jspecify.annotations.Nullable;
import s3csi.fuse.Operation;

/**
 * A request and what became of it, for a log.
 *
 * @param name of what it is about in the directory {@code node}, or of an attribute; null where a request has none
 * @param newName only a rename has one
 * @param offset in a file or a listing
 * @param size how many bytes the kernel asked for or brought
 * @param bytes of the answer without its header: what a READ or a listing carried; of a WRITE, what was taken
 * @param nanos from reading the request to its answer
 * @param errno 0 if it went well
 */
public record AnsweredRequest(
        Operation operation,
        long unique,
        long node,
        int pid,
        @Nullable String name,
        @Nullable String newName,
        long offset,
        long size,
        long bytes,
        long nanos,
        int errno) {}
