package s3csi.filesystem.cache;

/**
 * What a cache has done so far, for metrics.
 *
 * @param hits blocks read from the disk
 * @param failures blocks that could not be read or written, among them corrupt ones
 * @param skipped blocks not written because the disk was too slow, or the cache rests after failures
 * @param bytes on disk now
 */
public record CacheCounters(
        long hits, long stored, long evicted, long failures, long skipped, long bytes, int blocks) {}
