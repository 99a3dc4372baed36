package s3csi.fuse;

/** What statfs shows. Blocks are counted in units of {@code fragmentSize}. */
public record FileSystemStatistics(
        long blocks,
        long freeBlocks,
        long availableBlocks,
        long files,
        long freeFiles,
        int blockSize,
        int nameLength,
        int fragmentSize) {}
