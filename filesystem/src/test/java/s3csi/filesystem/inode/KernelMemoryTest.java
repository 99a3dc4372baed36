package s3csi.filesystem.inode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.ManualTime;
import s3csi.fuse.Entry;
import s3csi.fuse.Notifications;
import s3csi.linux.LinuxException;
import s3csi.s3.ETag;
import s3csi.s3.ObjectInfo;

/** More names than memory has room for: the kernel is told to forget. */
class KernelMemoryTest {
    /** More than fit. */
    private static final int MANY = 250_000;

    private BufferPool pool;
    private InodeTable table;
    private KernelMemory memory;

    @BeforeEach
    void make() throws LinuxException {
        pool = new BufferPool(104L << 20);
        table = new InodeTable(
                "",
                new Appearance(1, 2, 0644, 0755),
                MetadataCaching.MINIMAL,
                new HeapLimits(100, 20_000, 10, 4),
                pool,
                new ManualTime().time(),
                new NumberSequence(2));
        memory = new KernelMemory(table, pool);
    }

    @AfterEach
    void everythingIsBack() {
        memory.close();
        assertThat(pool.used()).isZero();
        pool.close();
    }

    /** A kernel that keeps every file that it was told of, until it is told to forget it. */
    private final class Kernel implements Notifications {
        final Map<String, Long> known = new ConcurrentHashMap<>();
        final Map<Long, String> names = new ConcurrentHashMap<>();
        final AtomicInteger invalidated = new AtomicInteger();
        private final boolean canPrune;

        Kernel(boolean canPrune) {
            this.canPrune = canPrune;
        }

        void enter(int i) throws FileException {
            String name = "file-with-a-name-%06d".formatted(i);
            Entry entry = requireNonNull(table.enter(
                    table.directory(1),
                    name,
                    new Found.File(ObjectInfo.of(name, i, new ETag("%032x".formatted(i)), Instant.EPOCH)),
                    0));
            known.put(name, entry.node());
            names.put(entry.node(), name);
        }

        @Override
        public boolean prune(long[] nodes) {
            if (canPrune) {
                for (long node : nodes) {
                    forget(node);
                }
            }
            return canPrune;
        }

        private void forget(long node) {
            known.remove(requireNonNull(names.remove(node)));
            table.forget(node, 1);
        }

        @Override
        public boolean invalidateEntry(long parent, String name) {
            assertThat(parent).isEqualTo(1);
            invalidated.incrementAndGet();
            Long node = known.get(name);
            if (node != null) {
                forget(node);
            }
            return node != null;
        }

        @Override
        public boolean invalidateInode(long node, long offset, long length) {
            throw new AssertionError();
        }

        @Override
        public boolean expireEntry(long parent, String name) {
            throw new AssertionError();
        }

        @Override
        public boolean deleteEntry(long parent, long child, String name) {
            throw new AssertionError();
        }

        @Override
        public boolean store(long node, long fileOffset, MemorySegment bytes, long from, long length) {
            throw new AssertionError();
        }

        @Override
        public boolean resend() {
            throw new AssertionError();
        }
    }

    private void walk(Kernel kernel) throws FileException {
        memory.start(kernel);
        for (int i = 0; i < MANY; i++) {
            kernel.enter(i);
            if (table.isCrowded()) {
                // What a listing does then is give names only, which makes no inode.
                Eventually.that(() -> !table.isCrowded());
            }
        }
        assertThat(pool.used(Priority.NAMES)).isLessThanOrEqualTo(pool.mostForNames());
        assertThat(kernel.known.size()).isGreaterThan(50_000);
        assertThat(table.size()).isLessThan(150_000);
        // Whatever the kernel has not forgotten is what it was.
        for (Map.Entry<String, Long> each : Map.copyOf(kernel.known).entrySet()) {
            long number = table.numberOf(table.directory(1), each.getKey());
            // It forgets on, so what it knows is looked at afterwards.
            if (kernel.known.containsKey(each.getKey())) {
                assertThat(number).isEqualTo(each.getValue());
            }
        }
    }

    @Test
    void theKernelForgetsWhatHasNoRoom() throws FileException {
        Kernel kernel = new Kernel(true);
        walk(kernel);

        assertThat(kernel.invalidated).hasValue(0);
        // The last ones are those that a program that lists a directory looks at next.
        assertThat(kernel.known).containsKey("file-with-a-name-%06d".formatted(MANY - 1));
    }

    @Test
    void whatCameLastIsForgottenLast() throws FileException {
        Kernel kernel = new Kernel(true);
        for (int i = 0; i < 2000; i++) {
            kernel.enter(i);
        }
        for (int i = 0; i < 2000; i += 2) {
            kernel.forget(requireNonNull(kernel.known.get("file-with-a-name-%06d".formatted(i))));
        }
        // These take the places in memory of those that are gone, between those that stayed.
        for (int i = 2000; i < 3000; i++) {
            kernel.enter(i);
        }

        List<String> forgotten =
                table.toForget(500, 0).stream().map(KernelMemory.Known::name).toList();

        assertThat(forgotten).hasSize(500).allMatch(name -> name.compareTo("file-with-a-name-002000") < 0);
    }

    @Test
    void anOlderKernelIsToldNameByName() throws FileException {
        Kernel kernel = new Kernel(false);
        walk(kernel);

        assertThat(kernel.invalidated).hasPositiveValue();
    }

    /** A program may write any number of files in a few minutes, and the kernel keeps them all. */
    @Test
    void filesThatWereJustWrittenRestTooAndAreStillKnownBetterHere() throws FileException {
        DirectoryInode root = table.directory(1);
        long before = table.now();
        int count = 30_000;
        for (int i = 0; i < count; i++) {
            FileInode file = table.createFile(root, "written-" + i, true);
            table.enter(file);
            table.beginWriting(file, 0);
            table.finishWriting(file, new ETag(i % 2 == 0 ? "%032x".formatted(i) : "v" + i), i);
            table.known(root, "written-" + i);
        }

        assertThat(table.isCrowded()).isFalse();
        for (int i = 0; i < count; i++) {
            if (!(table.observe(root, "written-" + i, Found.NOTHING, before) instanceof FileInode file)) {
                throw new AssertionError("an older answer hides file " + i);
            }
            assertThat(table.storedVersion(file))
                    .extracting(StoredVersion::size)
                    .isEqualTo((long) i);
        }
    }

    /** Directories without files are in no store, so nothing but our memory has them. */
    @Test
    void directoriesThatExistOnlyHereAreRefusedBeforeTheyFillTheHeap() throws FileException {
        DirectoryInode root = table.directory(1);
        int count = 0;
        try {
            while (count < MANY) {
                table.createDirectory(root, "made-" + count);
                count++;
            }
        } catch (FileException e) {
            assertThat(e.failure()).isEqualTo(new FileFailure.NoRoom());
        }

        assertThat(count).isBetween(60_000, 70_000);
        table.unlink(requireNonNull(table.child(root, "made-7")));
        table.createDirectory(root, "made-7");
    }
}
