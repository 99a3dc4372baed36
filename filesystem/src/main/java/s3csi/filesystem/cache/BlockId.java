package s3csi.filesystem.cache;

/** A block in the index: kept small, as there is one for each block on disk. */
record BlockId(long high, long low, int number) {}
