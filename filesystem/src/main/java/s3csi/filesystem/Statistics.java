package s3csi.filesystem;

import s3csi.fuse.FileSystemStatistics;

/** What statfs shows: buckets have no size, unless somebody gave them one. */
final class Statistics {
    private static final int BLOCK = 512;
    private static final int LONGEST_NAME = 255;

    /** As large as programs can count: 2^64 bytes and some, in blocks of 512. */
    private static final long ENDLESS = Long.divideUnsigned(-1L, 1024);

    private Statistics() {}

    static FileSystemStatistics of(long capacity) {
        long blocks = capacity == 0 ? ENDLESS : capacity / BLOCK;
        return new FileSystemStatistics(blocks, blocks, blocks, ENDLESS, ENDLESS, BLOCK, LONGEST_NAME, BLOCK);
    }
}
