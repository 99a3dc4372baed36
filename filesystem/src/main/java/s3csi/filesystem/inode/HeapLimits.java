package s3csi.filesystem.inode;

/**
 * How much of the heap names may take.
 *
 * @param awake so many inodes are objects; what is beyond that and not in use is kept off the heap
 * @param listedInodes where so many are objects all the same, because there is no memory off the heap, listings give the kernel names
 *     only
 * @param absentNames how many names are remembered as absent
 * @param listings how many listings have pages at the same time; others wait for their turn
 */
public record HeapLimits(int awake, int listedInodes, int absentNames, int listings) {
    private static final int AWAKE = 8192;
    private static final int MOST_ABSENT = 100_000;

    /** What two pages of a listing, the one being read and the one on its way, are taken to need, with all that is made of them. */
    private static final long BYTES_FOR_LISTING = 4L << 20;

    /** An inode with its name takes about 200 bytes, an absent name about 150. */
    public static HeapLimits forHeap(long bytes) {
        int inodes = Math.clamp(bytes / 960, 2 * AWAKE, 5_000_000);
        int names = Math.clamp(bytes / 2048, 10_000, MOST_ABSENT);
        return new HeapLimits(AWAKE, inodes, names, Math.clamp(bytes / BYTES_FOR_LISTING, 4, 64));
    }

    /** Where so many are objects all the same, no more are made that would be, because they exist only here. */
    int made() {
        return Math.max(2 * listedInodes, 8 * AWAKE);
    }

    public HeapLimits withListings(int value) {
        return new HeapLimits(awake, listedInodes, absentNames, value);
    }
}
