package s3csi.filesystem.cache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.memory.Buffer;
import s3csi.filesystem.memory.BufferPool;
import s3csi.s3.ETag;

/** Blocks of objects on a local disk. See the package for the rules. */
public final class DiskCache implements AutoCloseable {
    public static final int BLOCK_SIZE = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(DiskCache.class);
    private static final int READ_THREADS = 4;

    /** Blocks that wait to be written hold memory of the pool. */
    private static final int MOST_WAITING = 8;

    private static final long CLOSE_SECONDS = 10;

    private final String bucket;
    private final CacheSettings settings;
    private final CacheDirectory directory;
    private final BlockIndex index;
    /** Apart, as a disk that cannot be written any more can often still be read. */
    private final Breaker reading = new Breaker("read", System::nanoTime);

    private final Breaker writing = new Breaker("written", System::nanoTime);
    private final ExecutorService reads = Executors.newFixedThreadPool(
            READ_THREADS, Thread.ofPlatform().daemon().name("cache-read-", 0).factory());
    private final ThreadPoolExecutor writes = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().daemon().name("cache-write").factory());
    private final Thread housekeeper;
    private final CountDownLatch indexed = new CountDownLatch(1);
    private final LongAdder hits = new LongAdder();
    private final LongAdder stored = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder skipped = new LongAdder();

    /** Opens the cache of a bucket; never fails: without a usable directory it is a cache that has nothing. */
    public DiskCache(CacheSettings settings, BufferPool pool) {
        this.index = new BlockIndex(pool);
        this.settings = settings;
        this.bucket = settings.bucket();
        directory = new CacheDirectory(settings.directory(), settings.partition());
        Runnable housekeeping = indexed::countDown;
        try {
            directory.prepare();
            housekeeping = this::keepHouse;
        } catch (IOException e) {
            LOG.warn(
                    "The cache directory {} cannot be used: {}. Everything is read from the store; give --cache a directory"
                            + " that this user may write to and others may not.",
                    directory.root(),
                    e.toString());
        }
        housekeeper = Thread.ofPlatform().daemon().name("cache-housekeeping").start(housekeeping);
    }

    /** The part of the cache that is about one version of an object. */
    public CachedObject object(String key, ETag etag) {
        return new CachedObject(this, ObjectHash.of(bucket, key, etag));
    }

    /** Forgets everything at once; the files go in the background. */
    public void clear() throws IOException {
        directory.clear();
        index.clear();
        Thread.ofPlatform().daemon().name("cache-removal").start(this::removeGone);
    }

    public CacheCounters counters() {
        return new CacheCounters(
                hits.sum(), stored.sum(), evicted.sum(), failures.sum(), skipped.sum(), index.bytes(), index.size());
    }

    /** Waits until the blocks of processes before this one are known. Reading does not need that. */
    public void awaitIndex() throws InterruptedException {
        indexed.await();
    }

    /** Ends the threads; blocks that were not written yet are not, and give their memory back. The files stay. */
    @Override
    public void close() {
        reads.shutdown();
        writes.shutdown();
        writes.getQueue().removeIf(task -> {
            ((BlockWrite) task).release();
            return true;
        });
        housekeeper.interrupt();
        try {
            boolean ended = reads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)
                    && writes.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                LOG.warn("The disk of the cache {} does not answer; its threads are left behind.", directory.root());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        index.close();
    }

    // ---- for objects

    boolean isStored(ObjectHash object, long block) {
        return index.use(object, block);
    }

    boolean read(ObjectHash object, long block, List<MemorySegment> memory) {
        if (reading.isResting() || !isStored(object, block)) {
            return false;
        }
        try {
            return await(reads.submit(() -> readNow(object, block, memory)));
        } catch (RejectedExecutionException _) {
            return false;
        }
    }

    void store(ObjectHash object, long block, List<Buffer> buffers, int length) {
        BlockWrite write = new BlockWrite(object, block, buffers, length);
        if (writing.isResting()) {
            write.skip();
            return;
        }
        try {
            writes.execute(write);
        } catch (RejectedExecutionException _) {
            write.skip();
        }
    }

    private static boolean await(Future<Boolean> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException(
                            "reading a cached block failed because of a fault in this program", e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---- on the cache's own threads

    private boolean readNow(ObjectHash object, long block, List<MemorySegment> memory) {
        Path file = directory.fileOf(object, block);
        try {
            ByteBuffer[] views =
                    memory.stream().map(MemorySegment::asByteBuffer).toArray(ByteBuffer[]::new);
            BlockFile.read(file, object, block, views);
            reading.succeeded();
            hits.increment();
            return true;
        } catch (IOException e) {
            failed(reading, e);
            index.remove(object, block);
            remove(file);
            return false;
        }
    }

    /** One block on its way to the disk. */
    private final class BlockWrite implements Runnable {
        private final ObjectHash object;
        private final long block;
        private final List<Buffer> buffers;
        private final int length;

        BlockWrite(ObjectHash object, long block, List<Buffer> buffers, int length) {
            this.object = object;
            this.block = block;
            this.buffers = buffers;
            this.length = length;
        }

        @Override
        public void run() {
            try {
                writeNow();
            } catch (IOException e) {
                failed(writing, e);
            } finally {
                release();
            }
        }

        private void writeNow() throws IOException {
            if (isStored(object, block)) {
                return;
            }
            int fileSize = BlockFile.HEADER + length;
            Path file = directory.fileOf(object, block);
            directory.makeDirectoryOf(file);
            makeRoom(fileSize);
            // That may have removed the last block of this object, and its directory along with it.
            directory.makeDirectoryOf(file);
            BlockFile.write(directory.newFile(), file, object, block, views());
            remember(fileSize);
            writing.succeeded();
            stored.increment();
        }

        /** What cannot be remembered would never be removed; so an older block goes, or this one. */
        private void remember(int fileSize) {
            while (!index.add(object, block, fileSize)) {
                BlockIndex.Evicted oldest = index.evictOldest();
                if (oldest == null) {
                    remove(directory.fileOf(object, block));
                    return;
                }
                evict(oldest);
            }
        }

        private ByteBuffer[] views() {
            ByteBuffer[] views = new ByteBuffer[buffers.size()];
            int left = length;
            for (int i = 0; i < views.length; i++) {
                int count = Math.min(left, BufferPool.BUFFER_SIZE);
                views[i] = buffers.get(i).memory().asSlice(0, count).asByteBuffer();
                left -= count;
            }
            return views;
        }

        void skip() {
            skipped.increment();
            release();
        }

        void release() {
            buffers.forEach(Buffer::release);
        }
    }

    private void makeRoom(int wanted) throws IOException {
        index.makeRoom(wanted, limit()).forEach(this::evict);
        keepDiskFree(wanted);
    }

    private long limit() {
        return settings.limit().orElse(Long.MAX_VALUE / 2);
    }

    private void keepDiskFree(int wanted) throws IOException {
        FileStore disk = Files.getFileStore(directory.root());
        // A limit says what the user wants; the disk may still be smaller.
        long keptFree = settings.limit().isPresent() ? 0 : disk.getTotalSpace() / 100 * settings.keptFreePercent();
        while (disk.getUsableSpace() - wanted < keptFree) {
            BlockIndex.Evicted oldest = index.evictOldest();
            if (oldest == null) {
                throw new IOException(
                        "the disk is full, or less than " + settings.keptFreePercent() + " % of it are free");
            }
            evict(oldest);
        }
    }

    private void evict(BlockIndex.Evicted block) {
        evicted.increment();
        remove(directory.fileOf(block.object(), block.number()));
    }

    private void remove(Path file) {
        try {
            directory.delete(file);
        } catch (IOException e) {
            failed(writing, e);
        }
    }

    private void failed(Breaker breaker, IOException e) {
        failures.increment();
        switch (e) {
            case BlockFile.CorruptBlockException corrupt ->
                LOG.warn("A cached block is removed and read from the store again: {}", corrupt.getMessage());
            case NoSuchFileException gone ->
                LOG.debug("A cached block is gone, perhaps by another mount with this cache: {}", gone.getMessage());
            default -> breaker.failed(e);
        }
    }

    private void keepHouse() {
        try {
            directory.find(index::addFound);
            index.sortFound(System.currentTimeMillis());
            index.makeRoom(0, limit()).forEach(this::evict);
        } catch (IOException e) {
            LOG.warn("Blocks cached earlier in {} are not used: {}", directory.root(), e.toString());
        } finally {
            indexed.countDown();
        }
        removeGone();
    }

    private void removeGone() {
        try {
            directory.removeGone();
        } catch (IOException e) {
            LOG.warn("Old files of the cache {} could not be removed: {}", directory.root(), e.toString());
        }
    }
}
