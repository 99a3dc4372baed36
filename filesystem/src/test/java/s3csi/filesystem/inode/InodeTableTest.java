package s3csi.filesystem.inode;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.testing.ManualTime;
import s3csi.fuse.Entry;
import s3csi.linux.LinuxException;
import s3csi.s3.ETag;
import s3csi.s3.ObjectInfo;

class InodeTableTest {
    private final ManualTime clock = new ManualTime();
    private final Time time = clock.time();
    private BufferPool pool;
    private InodeTable table;

    @BeforeEach
    void make() throws LinuxException {
        pool = new BufferPool(BufferPool.MINIMUM_BUDGET);
        // One object only: whatever else may rest does.
        table = new InodeTable(
                "p/",
                new Appearance(1, 2, 0644, 0755),
                MetadataCaching.MINIMAL,
                new HeapLimits(1, 100, 3, 4),
                pool,
                time,
                new NumberSequence(2));
    }

    @AfterEach
    void everythingIsBack() {
        table.clearResting();
        assertThat(pool.used()).isZero();
        pool.close();
    }

    private DirectoryInode root() {
        try {
            return table.directory(1);
        } catch (FileException e) {
            throw new AssertionError(e);
        }
    }

    private static Found file(String key, String etag) {
        return new Found.File(ObjectInfo.of(key, 1, new ETag(etag), Instant.EPOCH));
    }

    @Test
    void keysAreThePathBelowThePrefix() throws FileException {
        Entry a = entered(table.enter(root(), "a", Found.DIRECTORY, 0));
        DirectoryInode directory = table.directory(a.node());
        Entry b = entered(table.enter(directory, "b", file("p/a/b", "e"), 0));

        assertThat(directory.key()).isEqualTo("p/a/");
        assertThat(table.get(b.node()).key()).isEqualTo("p/a/b");
        assertThat(root().key()).isEqualTo("p/");
    }

    @Test
    void whatWasAskedBeforeALocalChangeDoesNotUndoIt() throws FileException {
        long before = time.now();
        clock.advance(java.time.Duration.ofMillis(1));
        FileInode made = table.createFile(root(), "f", true);
        table.finishWriting(made, new ETag("new"), 3);

        assertThat(table.observe(root(), "f", Found.NOTHING, before)).isSameAs(made);
        assertThat(table.observe(root(), "f", file("p/f", "old"), before)).isSameAs(made);

        clock.advance(java.time.Duration.ofMillis(1));
        assertThat(table.observe(root(), "f", file("p/f", "old"), time.now())).isNotSameAs(made);
    }

    @Test
    void aListingFromBeforeARemovalDoesNotBringTheNameBack() {
        long before = time.now();
        clock.advance(java.time.Duration.ofMillis(1));
        Inode file = Objects.requireNonNull(table.observe(root(), "f", file("p/f", "e"), time.now()));
        table.unlink(file);

        assertThat(table.observe(root(), "f", file("p/f", "e"), before)).isNull();
    }

    @Test
    void directoriesKnowOfLocalNamesBelowThem() throws FileException {
        DirectoryInode a = table.directory(
                entered(table.enter(root(), "a", Found.DIRECTORY, 0)).node());
        DirectoryInode b = table.createDirectory(a, "b");
        FileInode f = table.createFile(b, "f", true);
        assertThat(table.localChildren(root())).containsExactly(a);
        assertThat(table.localChildren(a)).containsExactly(b);

        table.finishWriting(f, new ETag("e"), 1);

        assertThat(table.localChildren(root())).isEmpty();
        assertThat(table.localChildren(a)).isEmpty();
        assertThat(table.isMadeHere(b)).isFalse();
    }

    @Test
    void abandonedAndRemovedFilesAreNotLocalAnyMore() throws FileException {
        DirectoryInode a = table.createDirectory(root(), "a");
        FileInode f = table.createFile(a, "f", true);
        table.createFile(a, "g", false);
        table.abandonWriting(f);
        assertThat(table.localChildren(a)).hasSize(1);
        table.unlink(Objects.requireNonNull(table.child(a, "g")));
        assertThat(table.localChildren(a)).isEmpty();
        table.unlink(a);
        assertThat(table.localChildren(root())).isEmpty();
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void absentNamesAreBoundedAndTheOldestGoesFirst() {
        for (String name : List.of("a", "b", "c")) {
            table.observe(root(), name, Found.NOTHING, time.now());
        }
        table.observe(root(), "a", Found.NOTHING, time.now());
        table.observe(root(), "d", Found.NOTHING, time.now());

        assertThat(table.isFreshlyAbsent(root(), "b")).isFalse();
        assertThat(table.isFreshlyAbsent(root(), "a")).isTrue();
        assertThat(table.isFreshlyAbsent(root(), "d")).isTrue();
        clock.advance(java.time.Duration.ofMillis(101));
        assertThat(table.isFreshlyAbsent(root(), "a")).isFalse();
    }

    @Test
    void randomNamesAreFoundAndForgotten() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Set<String> present = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String name = "n" + random.nextInt(500);
            if (random.nextBoolean()) {
                entries.add(entered(table.enter(root(), name, file("p/" + name, "e"), time.now())));
                present.add(name);
            } else {
                table.observe(root(), name, Found.NOTHING, time.now());
                present.remove(name);
            }
            String other = "n" + random.nextInt(500);
            assertThat(table.child(root(), other) != null)
                    .as("seed %d, step %d", seed, i)
                    .isEqualTo(present.contains(other));
        }
        entries.forEach(entry -> table.forget(entry.node(), 1));
        assertThat(table.size()).as("seed %d", seed).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "d41d8cd98f00b204e9800998ecf8427e",
                "D41D8CD98F00B204E9800998ECF8427E",
                "d41d8cd98f00b204e9800998ecf8427e-1",
                "d41d8cd98f00b204e9800998ecf8427e-10000",
                "d41d8cd98f00b204e9800998ecf8427e-007",
                "d41d8cd98f00b204e9800998ecf8427e-",
                "d41d8cd98f00b204e9800998ecf8427e-x",
                "0000000000000000000000000000000z",
                "short",
                "-5"
            })
    void packedVersionsAreTheSameText(String text) {
        assertThat(Version.of(new ETag(text)).etag().text()).isEqualTo(text);
        assertThat(Version.of(new ETag(text))).isEqualTo(Version.of(new ETag(text)));
    }

    @Test
    void namesAreComparedByTheirBytes() {
        assertThat(ShownNames.compare("a", "b")).isNegative();
        assertThat(ShownNames.compare("a", "ab")).isNegative();
        // Beyond the basic plane: four bytes sort behind three, though UTF-16 says otherwise.
        assertThat(ShownNames.compare("\uFFFD", "\uD83D\uDE00")).isNegative();
        assertThat(ShownNames.compare("\uD83D\uDE00", "\uD83D\uDE01")).isNegative();
    }

    private static Entry entered(@Nullable Entry entry) {
        return Objects.requireNonNull(entry);
    }
}
