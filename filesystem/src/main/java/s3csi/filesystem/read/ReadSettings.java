package s3csi.filesystem.read;

import s3csi.filesystem.memory.BufferPool;

/**
 * How objects are read.
 *
 * @param partSize bytes of the largest GET; smaller objects are read in one
 * @param maxPrefetches prefetching GETs under way at one time, over all open files, so that connections are left for reads that somebody waits for
 */
public record ReadSettings(int partSize, int maxPrefetches) {
    private static final int MIB = 1 << 20;
    private static final int LARGEST_PART = 1 << 30;

    public static final ReadSettings DEFAULT = new ReadSettings(8 * MIB, 32);

    public ReadSettings {
        if (partSize < BufferPool.BUFFER_SIZE || partSize > LARGEST_PART || maxPrefetches < 1) {
            throw new IllegalArgumentException("reading needs parts of " + BufferPool.BUFFER_SIZE + " to "
                    + LARGEST_PART + " bytes and at least one prefetch; got " + partSize + " and " + maxPrefetches);
        }
    }

    public ReadSettings withPartSize(int bytes) {
        return new ReadSettings(bytes, maxPrefetches);
    }
}
