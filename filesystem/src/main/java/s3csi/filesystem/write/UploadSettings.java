package s3csi.filesystem.write;

/**
 * How files are stored.
 *
 * @param partSize files up to this size are stored in one request, larger ones in parts of it
 * @param parallelParts parts of one file that are sent at the same time
 * @param inferContentType whether objects get a content type by the ending of their name
 */
public record UploadSettings(long partSize, int parallelParts, boolean inferContentType) {
    private static final long MIB = 1 << 20;

    public static final UploadSettings DEFAULTS = new UploadSettings(8 * MIB, 8, false);

    public UploadSettings {
        if (partSize < 1 || parallelParts < 1) {
            throw new IllegalArgumentException("uploads need parts of at least one byte and one part at a time; got "
                    + partSize + " and " + parallelParts);
        }
    }

    public UploadSettings withPartSize(long bytes) {
        return new UploadSettings(bytes, parallelParts, inferContentType);
    }

    public UploadSettings withParallelParts(int count) {
        return new UploadSettings(partSize, count, inferContentType);
    }

    public UploadSettings withInferContentType(boolean value) {
        return new UploadSettings(partSize, parallelParts, value);
    }
}
