package s3csi.filesystem.inode;

/**
 * How much of the heap names may take.
 *
 * @param listedInodes beyond this many inodes, listings give the kernel names only
 * @param absentNames how many names are remembered as absent
 */
public record InodeLimits(int listedInodes, int absentNames) {
    private static final int MOST_ABSENT = 100_000;

    /** An inode with its name takes about 180 bytes, an absent name about 150. */
    public static InodeLimits forHeap(long bytes) {
        int inodes = Math.clamp(bytes / 480, 50_000, 5_000_000);
        int names = Math.clamp(bytes / 2048, 10_000, MOST_ABSENT);
        return new InodeLimits(inodes, names);
    }
}
