package s3csi.filesystem.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static s3csi.filesystem.testing.Eventually.eventually;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.memory.Buffer;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.memory.Reservation;
import s3csi.linux.LinuxException;
import s3csi.linux.Processes;
import s3csi.s3.ETag;

final class DiskCacheTest {
    private static final int BLOCK = DiskCache.BLOCK_SIZE;
    private static final ETag ETAG = new ETag("v1");

    @TempDir
    Path directory;

    private BufferPool pool;
    private DiskCache cache;

    @BeforeEach
    void open() throws LinuxException, InterruptedException {
        pool = new BufferPool(BufferPool.MINIMUM_BUDGET);
        cache = reopened(CacheSettings.in(directory, "bucket").withLimit(100L * BLOCK));
    }

    @AfterEach
    void close() {
        cache.close();
        assertThat(pool.used()).as("memory held by the cache").isZero();
        pool.close();
    }

    @Test
    void whatIsStoredCanBeReadAlsoByTheNextProcess() throws Exception {
        store(object("a"), 0, BLOCK, 1);
        store(object("a"), 7, 12_345, 2);
        check(object("a"), 0, BLOCK, 1);
        check(object("a"), 7, 12_345, 2);
        cache.close();
        cache = reopened(CacheSettings.in(directory, "bucket").withLimit(100L * BLOCK));
        assertThat(cache.counters().blocks()).isEqualTo(2);
        check(object("a"), 0, BLOCK, 1);
        check(object("a"), 7, 12_345, 2);
        assertThat(cache.counters().hits()).isEqualTo(2);
    }

    @Test
    void whatAKilledProcessLeftHalfWrittenGoes() throws Exception {
        cache.close();
        Path unfinished = directory.resolve("mountpoint-cache/new");
        Path half = Files.writeString(unfinished.resolve("half"), "written");

        cache = new DiskCache(CacheSettings.in(directory, "bucket"), pool);

        assertThat(half).doesNotExist();
        assertThat(unfinished).isEmptyDirectory();
        eventually("it is removed", () -> {
            try (Stream<Path> left = Files.list(directory.resolve("mountpoint-cache"))) {
                return left.noneMatch(each -> each.getFileName().toString().startsWith("gone-"));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void anotherVersionKeyOrBucketIsAnotherObject() {
        store(object("a"), 0, 100, 1);
        assertThat(cache.object("a", new ETag("v2")).isStored(0)).isFalse();
        assertThat(object("b").isStored(0)).isFalse();
        assertThat(object("a").isStored(1)).isFalse();
        try (DiskCache other = new DiskCache(CacheSettings.in(directory, "other"), pool)) {
            eventually("the index is there", () -> other.counters().blocks() == 1);
            assertThat(other.object("a", ETAG).isStored(0)).isFalse();
        }
    }

    @Test
    void theLimitHoldsAndTheLeastRecentlyUsedGoes() throws Exception {
        cache.close();
        cache = reopened(CacheSettings.in(directory, "bucket").withLimit(3L * (BLOCK + BlockFile.HEADER)));
        for (int block = 0; block < 3; block++) {
            store(object("a"), block, BLOCK, block);
        }
        check(object("a"), 0, BLOCK, 0);
        store(object("a"), 3, BLOCK, 3);
        assertThat(object("a").isStored(0)).as("used a moment ago").isTrue();
        assertThat(object("a").isStored(1)).as("not used for longest").isFalse();
        assertThat(cache.counters().evicted()).isEqualTo(1);
        assertThat(bytesOnDisk()).isEqualTo(cache.counters().bytes()).isLessThanOrEqualTo(3L * (BLOCK + 64));
    }

    @Test
    void aSmallerLimitHoldsFromTheStart() throws Exception {
        for (int block = 0; block < 5; block++) {
            store(object("a"), block, BLOCK, block);
        }
        cache.close();
        cache = reopened(CacheSettings.in(directory, "bucket").withLimit(2L * (BLOCK + BlockFile.HEADER)));
        assertThat(cache.counters().blocks()).isEqualTo(2);
        assertThat(bytesOnDisk()).isLessThanOrEqualTo(2L * (BLOCK + BlockFile.HEADER));
    }

    @Test
    void whatWasStoredLastByTheProcessBeforeStaysLongest() throws Exception {
        int[] hoursAgo = {1, 5, 3, 4, 2};
        for (int block = 0; block < hoursAgo.length; block++) {
            store(object("a"), block, BLOCK, block);
            Path file = files().stream()
                    .filter(each -> each.getFileName().toString().startsWith("0"))
                    .max(Comparator.comparing(each -> each.getFileName().toString()))
                    .orElseThrow();
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(hoursAgo[block]))));
        }
        cache.close();
        cache = reopened(CacheSettings.in(directory, "bucket").withLimit(2L * (BLOCK + BlockFile.HEADER)));
        assertThat(object("a").isStored(0)).isTrue();
        assertThat(object("a").isStored(4)).isTrue();
        assertThat(cache.counters().blocks()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, BlockFile.HEADER, BlockFile.HEADER + BLOCK + 1, 5L << 30})
    void aFileThatCanBeNoBlockDoesNotCount(long size) throws Exception {
        store(object("a"), 0, BLOCK, 0);
        Path block = files().getFirst();
        cache.close();
        try (RandomAccessFile other =
                new RandomAccessFile(block.resolveSibling("0000000007").toFile(), "rw")) {
            other.setLength(size);
        }

        cache = reopened(CacheSettings.in(directory, "bucket"));

        assertThat(cache.counters().blocks()).isEqualTo(1);
        assertThat(cache.counters().bytes()).isEqualTo(BLOCK + BlockFile.HEADER);
        assertThat(object("a").isStored(7)).isFalse();
        check(object("a"), 0, BLOCK, 0);
    }

    @Test
    void aFlippedByteAnywhereIsAMissAndTheFileGoes() throws Exception {
        int length = 1000;
        for (int at = 0; at < BlockFile.HEADER + length; at += 13) {
            store(object("a"), 3, length, 9);
            Path file = files().getFirst();
            byte[] bytes = Files.readAllBytes(file);
            bytes[at] ^= 1;
            Files.write(file, bytes);
            assertThat(read(object("a"), 3, length))
                    .as("with byte %s flipped", at)
                    .isNull();
            assertThat(object("a").isStored(3)).isFalse();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void aFileThatWasCutOrIsGoneIsAMiss() throws Exception {
        store(object("a"), 0, BLOCK, 1);
        Path file = files().getFirst();
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), BLOCK / 2));
        assertThat(read(object("a"), 0, BLOCK)).isNull();
        store(object("a"), 1, BLOCK, 1);
        Files.delete(files().getFirst());
        assertThat(read(object("a"), 1, BLOCK)).isNull();
        store(object("a"), 1, BLOCK, 2);
        check(object("a"), 1, BLOCK, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mkfifo %s", "ln -s /dev/zero %s", "ln -s %s %s", "mkdir %s"})
    void whatIsNoFileInItsPlaceIsAMissAndHoldsNothingUp(String command) throws Exception {
        store(object("a"), 0, 500, 1);
        Path file = files().getFirst();
        Files.delete(file);
        Process process =
                new ProcessBuilder(command.replace("%s", file.toString()).split(" ")).start();
        assertThat(process.waitFor()).isZero();

        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertThat(read(object("a"), 0, 500)).isNull());

        assertThat(file).doesNotExist();
        store(object("a"), 0, 500, 1);
        check(object("a"), 0, 500, 1);
    }

    @Test
    void aBlockOfAnotherObjectInItsPlaceIsAMiss() throws Exception {
        store(object("a"), 0, 500, 1);
        Path mine = files().getFirst();
        byte[] bytes = Files.readAllBytes(mine);
        store(object("b"), 0, 500, 2);
        Path other =
                files().stream().filter(file -> !file.equals(mine)).findFirst().orElseThrow();
        Files.write(other, bytes);
        assertThat(read(object("b"), 0, 500)).isNull();
    }

    @Test
    void whenTheDirectoryVanishesItIsMadeAgain() throws Exception {
        store(object("a"), 0, 500, 1);
        removeAll(directory.resolve("mountpoint-cache"));
        assertThat(read(object("a"), 0, 500)).isNull();
        store(object("a"), 1, 500, 2);
        check(object("a"), 1, 500, 2);
    }

    @Test
    void aDirectoryThatCannotBeUsedMakesMissesAndNoErrors() throws Exception {
        cache.close();
        Path file = Files.createFile(directory.resolve("a-file"));
        cache = reopened(CacheSettings.in(file, "bucket"));
        for (int i = 0; i < 20; i++) {
            cache.object("a", ETAG).store(i, buffers(500, 1), 500);
        }
        eventually(
                "all are dealt with",
                () -> cache.counters().failures() + cache.counters().skipped() >= 20);
        assertThat(cache.counters().stored()).isZero();
        assertThat(read(object("a"), 0, 500)).isNull();
    }

    @Test
    void nobodyElseMayLookIntoIt() throws Exception {
        store(object("a"), 0, 500, 1);
        Path root = directory.resolve("mountpoint-cache");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files().getFirst())))
                .isEqualTo("rw-------");
    }

    /** Whoever may write to the directory, as to /tmp, may put a link there before the cache is made. */
    @ParameterizedTest
    @ValueSource(strings = {"mountpoint-cache", "mountpoint-cache/blocks-1", "mountpoint-cache/new"})
    void aLinkInItsPlaceLeadsNowhere(String name, @TempDir Path precious) throws Exception {
        Files.writeString(precious.resolve("file"), "precious");
        Files.createDirectory(precious.resolve("gone-long"));
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rwxr-xr-x"));
        cache.close();
        removeAll(directory.resolve("mountpoint-cache"));
        Files.createDirectories(directory.resolve(name).getParent());
        Files.createSymbolicLink(directory.resolve(name), precious);

        cache = reopened(CacheSettings.in(directory, "bucket").withLimit(100L * BLOCK));
        object("a").store(0, buffers(BLOCK, 1), BLOCK);
        eventually("the block is written or given up", () -> {
            CacheCounters counters = cache.counters();
            return counters.stored() + counters.failures() > 0;
        });
        cache.close();

        try (Stream<Path> left = Files.list(precious)) {
            assertThat(left.map(each -> each.getFileName().toString())).containsExactlyInAnyOrder("file", "gone-long");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(precious)))
                .isEqualTo("rwxr-xr-x");
    }

    @Test
    void aDirectoryOfAStrangerIsNotUsed() throws Exception {
        assumeThat(Processes.effectiveUserId()).as("only root can make one").isZero();
        cache.close();
        Files.setAttribute(directory.resolve("mountpoint-cache"), "unix:uid", 65534);

        cache = reopened(CacheSettings.in(directory, "bucket").withLimit(100L * BLOCK));
        object("a").store(0, buffers(BLOCK, 1), BLOCK);

        eventually("the block is given up", () -> cache.counters().failures() > 0);
        assertThat(object("a").isStored(0)).isFalse();
    }

    @Test
    void partitionsOfADirectoryDoNotSeeEachOther() throws Exception {
        store(object("a"), 0, 500, 1);
        cache.close();
        cache = reopened(CacheSettings.in(directory, "bucket").withPartition("someone"));
        assertThat(object("a").isStored(0)).isFalse();
        store(object("a"), 0, 500, 2);
        cache.close();
        cache = reopened(CacheSettings.in(directory, "bucket"));
        check(object("a"), 0, 500, 1);
    }

    @Test
    void clearingForgetsAtOnceAndRemovesTheFiles() throws Exception {
        store(object("a"), 0, 500, 1);
        cache.clear();
        assertThat(object("a").isStored(0)).isFalse();
        eventually("the files are gone", () -> files().isEmpty());
        store(object("a"), 0, 500, 2);
        check(object("a"), 0, 500, 2);
    }

    @Test
    void whatOtherFormatsLeftIsRemoved() throws Exception {
        Path old = directory.resolve("mountpoint-cache").resolve("V2").resolve("ab");
        Files.createDirectories(old);
        Files.write(old.resolve("block"), new byte[10]);
        cache.close();
        cache = reopened(CacheSettings.in(directory, "bucket"));
        eventually("it is gone", () -> Files.notExists(old) && goneDirectories().isEmpty());
    }

    @Test
    void aLimitBelowOneBlockIsRefused() {
        assertThatThrownBy(() -> CacheSettings.in(directory, "bucket").withLimit(5))
                .hasMessageContaining("give at least");
    }

    private DiskCache reopened(CacheSettings settings) throws InterruptedException {
        DiskCache opened = new DiskCache(settings, pool);
        opened.awaitIndex();
        return opened;
    }

    private CachedObject object(String key) {
        return cache.object(key, ETAG);
    }

    private void store(CachedObject object, long block, int length, int seed) {
        object.store(block, buffers(length, seed), length);
        eventually("the block is written", () -> object.isStored(block));
    }

    private List<Buffer> buffers(int length, int seed) {
        List<Buffer> buffers = new ArrayList<>();
        int count = BufferPool.buffersFor(length);
        try (Reservation reservation = requireNonNull(pool.tryReserve(Priority.PREFETCH, count))) {
            for (int i = 0; i < count; i++) {
                Buffer buffer = reservation.take();
                buffer.memory().fill((byte) (seed + i));
                buffers.add(buffer);
            }
        }
        return buffers;
    }

    private void check(CachedObject object, long block, int length, int seed) {
        byte[] found = read(object, block, length);
        assertThat(found).isNotNull();
        byte[] expected = new byte[length];
        for (int i = 0; i < length; i++) {
            expected[i] = (byte) (seed + i / BufferPool.BUFFER_SIZE);
        }
        assertThat(found).isEqualTo(expected);
    }

    private static byte @Nullable [] read(CachedObject object, long block, int length) {
        MemorySegment memory = Arena.ofAuto().allocate(length);
        return object.read(block, List.of(memory)) ? memory.toArray(ValueLayout.JAVA_BYTE) : null;
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException | UncheckedIOException e) {
            // A directory went while it was looked at; look again.
            return List.of(directory);
        }
    }

    private List<Path> goneDirectories() {
        try (Stream<Path> all = Files.list(directory.resolve("mountpoint-cache"))) {
            return all.filter(path -> path.getFileName().toString().startsWith("gone-"))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private long bytesOnDisk() throws IOException {
        long sum = 0;
        for (Path file : files()) {
            sum += Files.size(file);
        }
        return sum;
    }

    private static void removeAll(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
