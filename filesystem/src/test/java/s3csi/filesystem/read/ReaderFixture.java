package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Eventually.eventually;

import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import s3csi.filesystem.memory.BufferPool;
import s3csi.linux.LinuxException;
import s3csi.s3.StoreException;
import s3csi.s3.testing.Content;
import s3csi.s3.testing.FaultyObjectStore;
import s3csi.s3.testing.MemoryObjectStore;
import s3csi.s3.testing.StoredObject;

/** Readers over a store in memory that can be broken and watched; afterwards no byte and no fetch may be left. */
abstract class ReaderFixture {
    static final int KIB = 1024;
    static final int MIB = 1024 * KIB;
    static final long SEED = 42;

    final MemoryObjectStore memory = new MemoryObjectStore();
    final FaultyObjectStore faulty = new FaultyObjectStore(memory);
    final WatchedStore watched = new WatchedStore(faulty);
    BufferPool pool;
    Readers readers;

    @BeforeEach
    void start() throws LinuxException {
        pool = new BufferPool(BufferPool.MINIMUM_BUDGET);
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT);
    }

    @AfterEach
    void nothingIsLeft() {
        readers.close();
        assertThat(readers.fetching()).isZero();
        assertThat(readers.streams()).isZero();
        assertThat(pool.used()).as("memory in use after everything was closed").isZero();
        assertThat(pool.peak()).isLessThanOrEqualTo(pool.budget());
        pool.close();
    }

    /** An object of that size whose bytes tell where they are. */
    ObjectReader openRamp(long size) {
        return open(memory.addRamp("object", size, SEED));
    }

    ObjectReader open(StoredObject object) {
        return readers.open(new ObjectVersion(
                object.key(),
                Objects.requireNonNull(object.info().etag()),
                object.content().size()));
    }

    /** Reads like a file system: at once if possible, else waiting. */
    static byte[] read(ObjectReader reader, long offset, int size) throws StoreException, InterruptedException {
        RecordingReply reply = new RecordingReply();
        if (!reader.readNow(offset, size, reply)) {
            assertThat(reply.isAnswered()).isFalse();
            reader.read(offset, size, reply);
        }
        return reply.bytes();
    }

    /** Reads and compares with what a ramp has there. */
    static void check(ObjectReader reader, long offset, int size) throws StoreException, InterruptedException {
        byte[] bytes = read(reader, offset, size);
        assertThat(bytes.length)
                .as("bytes at %s", offset)
                .isEqualTo(Math.clamp(reader.version().size() - offset, 0, size));
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != Content.Ramp.byteAt(SEED, offset + i)) {
                assertThat(bytes[i]).as("the byte at %s", offset + i).isEqualTo(Content.Ramp.byteAt(SEED, offset + i));
            }
        }
    }

    void whenQuiet() {
        eventually("no fetch is under way", () -> readers.fetching() == 0);
    }
}
