package s3csi.s3;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the multipart uploads that nobody completed or aborted yet.
 *
 * @param next what asks for the next page; null on the last one
 */
public record PendingUploads(
        List<PendingUpload> uploads, @Nullable Marker next) {
    public PendingUploads {
        uploads = List.copyOf(uploads);
    }

    public record PendingUpload(Upload upload, Instant initiated) {}

    /** A place in the list of uploads. */
    public record Marker(String key, String uploadId) {}
}
