package s3csi.filesystem.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import s3csi.filesystem.FileSystemConfig;
import s3csi.filesystem.S3FileSystem;
import s3csi.filesystem.inode.HeapLimits;
import s3csi.filesystem.inode.MetadataCaching;
import s3csi.filesystem.inode.TimeToLive;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.read.ReadSettings;
import s3csi.filesystem.read.Readers;
import s3csi.filesystem.write.UploadSettings;
import s3csi.linux.LinuxException;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.FaultyObjectStore;
import s3csi.s3.testing.MemoryObjectStore;
import s3csi.s3.testing.StoredObject;

/** A file system over a store in memory that fails on command, with small parts and time that stands still. */
public final class Mounted implements AutoCloseable {
    /** So small that tests reach many parts with few bytes. */
    public static final int PART = 1000;

    /** Few objects, so that inodes rest and wake all the time. */
    public static final HeapLimits LIMITS = new HeapLimits(4, 1_000_000, 10_000, 8);

    public final MemoryObjectStore memory;
    public final FaultyObjectStore faults;
    public final ManualTime clock = new ManualTime();
    public final S3FileSystem fileSystem;
    public final FakeKernel kernel;
    public final BufferPool pool;
    public final FileSystemConfig config;
    private final Readers readers;

    private Mounted(FileSystemConfig config, MemoryObjectStore memory, long budget) {
        this.memory = memory;
        this.config = config;
        this.faults = new FaultyObjectStore(memory);
        try {
            this.pool = new BufferPool(budget);
        } catch (LinuxException e) {
            throw new IllegalStateException("no memory for a test", e);
        }
        this.readers = new Readers(faults, pool, ReadSettings.DEFAULT);
        this.fileSystem = new S3FileSystem(faults, pool, readers, config, clock.time());
        this.kernel = new FakeKernel(fileSystem);
    }

    public static FileSystemConfig config() {
        return FileSystemConfig.defaults(500, 20)
                .withLimits(LIMITS)
                .withUploads(UploadSettings.DEFAULTS.withPartSize(PART).withParallelParts(3));
    }

    /** With what was learnt believed for a minute. */
    public static FileSystemConfig cachingConfig() {
        return config().withCaching(MetadataCaching.of(new TimeToLive.For(Duration.ofSeconds(60)), null));
    }

    public static Mounted with(FileSystemConfig config) {
        return with(config, new MemoryObjectStore());
    }

    public static Mounted with(FileSystemConfig config, MemoryObjectStore store) {
        return new Mounted(config, store, BufferPool.MINIMUM_BUDGET);
    }

    /** With that much memory for object bytes. */
    public static Mounted with(FileSystemConfig config, long budget) {
        return new Mounted(config, new MemoryObjectStore(), budget);
    }

    /** Bytes of the memory that are held for what is read or written; names have theirs as long as they are known. */
    public long heldForData() {
        return pool.used() - pool.used(Priority.NAMES);
    }

    /** Whether a stream or a request for bytes is left. */
    public boolean isReading() {
        return readers.streams() > 0 || readers.fetching() > 0;
    }

    /**
     * Waits for requests that nobody waits for any more: of the two about a name, the listing alone may tell that it is a
     * directory. Only for tests that have listed nothing.
     */
    public void awaitQuestions() {
        Eventually.that(
                () -> memory.requests(StoreOperation.HEAD_OBJECT) == memory.requests(StoreOperation.LIST_OBJECTS));
    }

    Readers readers() {
        return readers;
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public StoredObject put(String key, String text) {
        return memory.add(key, bytes(text));
    }

    /** What the store has under the key, as text; throws if there is nothing. */
    public String stored(String key) {
        return new String(storedBytes(key), StandardCharsets.UTF_8);
    }

    public byte[] storedBytes(String key) {
        StoredObject object = memory.find(key);
        if (object == null) {
            throw new AssertionError("there is no object " + key);
        }
        byte[] bytes = new byte[(int) object.content().size()];
        object.content().read(0, java.lang.foreign.MemorySegment.ofArray(bytes));
        return bytes;
    }

    @Override
    public void close() {
        fileSystem.close();
        readers.close();
        pool.close();
    }
}
