package s3csi.filesystem.write;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How files are stored.
 *
 * @param partSize files up to this size are stored in one request, larger ones in parts of it
 * @param parallelParts parts of one file that are sent at the same time
 * @param inferContentType whether objects get a content type by the ending of their name
 * @param patience how long a writer waits for memory that files hold which nobody writes to
 * @param notes a directory where unfinished uploads are noted, so that the next process can abort them should this one be killed; all
 *     processes that share it must mount the same bucket; null for no notes
 */
public record UploadSettings(
        long partSize,
        int parallelParts,
        boolean inferContentType,
        Duration patience,
        @Nullable Path notes) {
    private static final long MIB = 1 << 20;

    public static final UploadSettings DEFAULTS = new UploadSettings(8 * MIB, 8, false, Duration.ofSeconds(30), null);

    public UploadSettings {
        if (partSize < 1 || parallelParts < 1) {
            throw new IllegalArgumentException("uploads need parts of at least one byte and one part at a time; got "
                    + partSize + " and " + parallelParts);
        }
    }

    public UploadSettings withPartSize(long bytes) {
        return new UploadSettings(bytes, parallelParts, inferContentType, patience, notes);
    }

    public UploadSettings withParallelParts(int count) {
        return new UploadSettings(partSize, count, inferContentType, patience, notes);
    }

    public UploadSettings withInferContentType(boolean value) {
        return new UploadSettings(partSize, parallelParts, value, patience, notes);
    }

    public UploadSettings withPatience(Duration value) {
        return new UploadSettings(partSize, parallelParts, inferContentType, value, notes);
    }

    public UploadSettings withNotes(@Nullable Path directory) {
        return new UploadSettings(partSize, parallelParts, inferContentType, patience, directory);
    }
}
