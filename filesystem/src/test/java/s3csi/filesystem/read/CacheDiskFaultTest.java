package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Eventually.eventually;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.cache.DiskCache;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.s3.StoreException;

/** A disk under the cache that is really full, or really read-only: readers do not notice. */
@Tag("engine")
final class CacheDiskFaultTest extends ReaderFixture {
    private static final int SIZE = 20 * MIB;

    @TempDir
    Path disk;

    private DiskCache cache;

    @BeforeEach
    void mountDisk() throws Exception {
        disk = disk.toRealPath();
        assertThat(output("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString()))
                .isEmpty();
        // It believes in more than the disk has.
        cache = new DiskCache(CacheSettings.in(disk, "bucket").withLimit(1L << 30), pool);
        readers.close();
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT, cache);
    }

    @AfterEach
    void unmountDisk() throws IOException {
        readers.close();
        cache.close();
        while (!MountTable.current().at(disk).isEmpty()) {
            Mounts.unmount(disk, Mounts.Unmount.DETACH);
        }
    }

    @Test
    void aDiskThatIsTooSmallHoldsWhatFits() throws Exception {
        readAll();
        eventually("blocks made room for others", () -> cache.counters().evicted() > 0);
        readAll();
        assertThat(cache.counters().bytes()).isLessThan(4L * MIB);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 15})
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void withoutALimitAPartOfTheDiskStaysFree(int percent) throws Exception {
        assertThat(output("mount", "-o", "remount,size=48m", disk.toString())).isEmpty();
        readers.close();
        cache.close();
        cache = new DiskCache(CacheSettings.in(disk, "bucket").withKeptFreePercent(percent), pool);
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT, cache);
        FileStore store = Files.getFileStore(disk);
        boolean isFull = false;
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!isFull) {
            assertThat(System.nanoTime()).as("the disk is full in time").isLessThan(deadline);
            readAll(64 * MIB);
            assertThat(store.getUsableSpace()).isGreaterThanOrEqualTo(store.getTotalSpace() / 100 * percent);
            // A slow disk skips blocks; then the rest of it is used in another round.
            isFull = cache.counters().evicted() > 0 && cache.counters().blocks() >= 45 - percent;
        }
    }

    @Test
    void aDiskThatSomebodyElseFillsIsNotNoticedByReaders() throws Exception {
        Process filler = new ProcessBuilder("dd", "if=/dev/zero", "of=" + disk.resolve("foreign"), "bs=64k")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(filler.waitFor()).as("dd runs until the disk is full").isNotZero();

        readAll();
        eventually("the cache noticed", () -> cache.counters().failures() > 0);
        readAll();
        assertThat(cache.counters().blocks()).isZero();
    }

    @Test
    void aDiskThatBecomesReadOnlyIsNotNoticedByReaders() throws Exception {
        readAll();
        eventually("something is cached", () -> cache.counters().stored() > 0);
        // The kernel refuses while the cache still writes blocks of what was read.
        eventually(
                "the disk is read-only",
                () -> output("mount", "-o", "remount,ro", disk.toString()).isEmpty());
        readAll();
        readAll();
    }

    private void readAll() throws StoreException, InterruptedException {
        readAll(SIZE);
    }

    private void readAll(long size) throws StoreException, InterruptedException {
        try (ObjectReader reader = openRamp(size)) {
            for (long offset = 0; offset < size; offset += 128 * KIB) {
                check(reader, offset, 128 * KIB);
            }
        }
    }

    /** What it said; nothing if it went well. */
    private static String output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : String.join(" ", command) + ": " + said;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
