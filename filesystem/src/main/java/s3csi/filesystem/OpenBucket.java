package s3csi.filesystem;

import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.cache.DiskCache;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.read.Readers;
import s3csi.fuse.FileSystem;
import s3csi.fuse.KernelWishes;
import s3csi.linux.LinuxException;
import s3csi.s3.ObjectStore;

/**
 * The front door of this module: a bucket as a file system, with the memory, the readers and the cache that it needs. All of them are its
 * own; the store is its maker's and must outlive it.
 */
public final class OpenBucket implements AutoCloseable {
    private final BufferPool pool;
    private final @Nullable DiskCache cache;
    private final Readers readers;
    private final S3FileSystem fileSystem;

    private OpenBucket(ObjectStore store, FileSystemConfig config) throws LinuxException {
        this.pool = new BufferPool(config.memory());
        CacheSettings disk = config.cache();
        this.cache = disk == null ? null : new DiskCache(disk, pool);
        this.readers = new Readers(store, pool, config.reads(), cache);
        this.fileSystem = new S3FileSystem(store, pool, readers, config);
    }

    /** Makes the file system; throws if the machine does not have the memory. */
    public static OpenBucket open(ObjectStore store, FileSystemConfig config) throws LinuxException {
        return new OpenBucket(store, config);
    }

    /** For a session to serve. */
    public FileSystem fileSystem() {
        return fileSystem;
    }

    /** What that session asks the kernel for. */
    public KernelWishes wishes() {
        return fileSystem.wishes();
    }

    /** The keys of files that were written and are not stored: lost if the process ended now. Never waits for the store. */
    public List<String> unstored() {
        return fileSystem.unstored();
    }

    /** How many inodes there are. */
    public int inodes() {
        return fileSystem.inodes();
    }

    /** Bytes of memory that data and names take. */
    public long memoryInUse() {
        return pool.used();
    }

    /** Bytes of object data on the local disk. */
    public long bytesOnDisk() {
        return cache == null ? 0 : cache.counters().bytes();
    }

    /** Stores what was closed, aborts what was not, and gives all memory back; for when no session serves it any more. */
    @Override
    public void close() {
        fileSystem.close();
        readers.close();
        if (cache != null) {
            cache.close();
        }
        pool.close();
    }
}
