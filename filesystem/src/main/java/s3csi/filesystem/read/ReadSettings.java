package s3csi.filesystem.read;

import s3csi.filesystem.memory.BufferPool;

/**
 * How objects are read.
 *
 * @param partSize bytes of a GET; smaller objects are read in one
 * @param maxPrefetches prefetching GETs under way at one time, over all open files, so that connections are left for reads that somebody waits for
 */
public record ReadSettings(long partSize, int maxPrefetches) {
    private static final int MIB = 1 << 20;
    /** There is no use in asking for more at once, whatever part size S3 allows. */
    private static final int LARGEST_REQUEST = 1 << 30;

    public static final ReadSettings DEFAULT = new ReadSettings(8 * MIB, 32);

    public ReadSettings {
        if (partSize < BufferPool.BUFFER_SIZE || maxPrefetches < 1) {
            throw new IllegalArgumentException("reading needs parts of at least " + BufferPool.BUFFER_SIZE
                    + " bytes and at least one prefetch; got " + partSize + " and " + maxPrefetches);
        }
    }

    public ReadSettings withPartSize(long bytes) {
        return new ReadSettings(bytes, maxPrefetches);
    }

    /** Bytes of the largest GET. */
    int largestRequest() {
        return (int) Math.min(partSize, LARGEST_REQUEST);
    }
}
