package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.inode.Appearance;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.ManualTime;
import s3csi.filesystem.testing.Mounted;
import s3csi.fuse.Attributes;
import s3csi.fuse.Entry;
import s3csi.fuse.FileSystem;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.RestoreStatus;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.MemoryObjectStore;

class LookupTest {
    private static final long ROOT = FileSystem.ROOT;

    @Test
    void attributesAreThoseOfTheObjectAndTheMount() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("dir/file", "x".repeat(1025));

            Attributes directory = mount.kernel.lookup(ROOT, "dir").attributes();
            Attributes file = mount.kernel.stat("dir/file");

            assertThat(directory.mode()).isEqualTo(0040755);
            assertThat(directory.links()).isEqualTo(2);
            assertThat(directory.size()).isZero();
            assertThat(directory.modified()).isEqualTo(ManualTime.START);
            assertThat(file.mode()).isEqualTo(0100644);
            assertThat(file.links()).isEqualTo(1);
            assertThat(file.size()).isEqualTo(1025);
            assertThat(file.blocks()).isEqualTo(3);
            assertThat(file.uid()).isEqualTo(500);
            assertThat(file.gid()).isEqualTo(20);
        }
    }

    @Test
    void timesAreWholeSecondsAsNotEveryAnswerOfAStoreHasMore() {
        Instant stored = Instant.parse("2025-06-07T08:09:10.123Z");
        try (Mounted mount =
                Mounted.with(Mounted.config(), new MemoryObjectStore(Clock.fixed(stored, ZoneOffset.UTC)))) {
            mount.put("f", "x");

            assertThat(mount.kernel.stat("f").modified()).isEqualTo("2025-06-07T08:09:10Z");
        }
    }

    @Test
    void modesAreConfigurable() {
        try (Mounted mount = Mounted.with(Mounted.config().withAppearance(new Appearance(1, 2, 0444, 0555)))) {
            mount.put("f", "");

            assertThat(mount.kernel.stat("f").mode()).isEqualTo(0100444);
            assertThat(mount.kernel.getattr(ROOT).mode()).isEqualTo(0040555);
        }
    }

    @Test
    void prefixIsTheRoot() {
        try (Mounted mount = Mounted.with(Mounted.config().withPrefix("a/b/"))) {
            mount.put("a/b/c", "1");
            mount.put("a/other", "2");

            assertThat(mount.kernel.readAll("c")).containsExactly('1');
            assertErrno(Errno.ENOENT, () -> mount.kernel.lookup(ROOT, "other"));
        }
    }

    @Test
    void directoryHidesTheObjectOfItsName() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("a", "hidden");
            mount.put("a/b", "seen");

            assertThat(mount.kernel.lookup(ROOT, "a").attributes().isDirectory())
                    .isTrue();
            assertThat(mount.kernel.readAll("a/b")).isEqualTo(Mounted.bytes("seen"));
        }
    }

    @Test
    void hiddenFileAppearsWhenTheDirectoryIsGone() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("a", "hidden");
            mount.put("a/b", "seen");
            assertThat(mount.kernel.lookup(ROOT, "a").attributes().isDirectory())
                    .isTrue();

            remove(mount, "a/b");
            mount.clock.advance(Duration.ofSeconds(2));

            assertThat(mount.kernel.lookup(ROOT, "a").attributes().isDirectory())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "a\0b", "\uD800"})
    void namesThatNoFileCanHaveAreRefused(String name) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            assertErrno(Errno.EINVAL, () -> mount.kernel.lookup(ROOT, name));
            assertThat(mount.memory.requests()).isZero();
        }
    }

    @Test
    void tooLongNamesAndKeysAreRefusedBeforeTheStoreIsAsked() {
        try (Mounted mount = Mounted.with(Mounted.config().withPrefix("p".repeat(1000) + "/"))) {
            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.lookup(ROOT, "é".repeat(12)));
            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.mkdir(ROOT, "é".repeat(12)));
            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.create(ROOT, "x".repeat(24), FileFlags.O_WRONLY));
            assertThat(mount.memory.requests()).isZero();
            mount.kernel.mkdir(ROOT, "x".repeat(23));
        }
        try (Mounted mount = Mounted.with(Mounted.config())) {
            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.lookup(ROOT, "x".repeat(256)));
            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.mkdir(ROOT, "é".repeat(128)));
            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.create(ROOT, "x".repeat(256), FileFlags.O_WRONLY));
            assertThat(mount.memory.requests()).isZero();
            mount.kernel.mkdir(ROOT, "é".repeat(127) + "x");
        }
    }

    @Test
    void oddNamesAreFound() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            for (String name : List.of("a b", "$~:@+", "\uD83D\uDE00", "\u05D0", "\u0001", "\u4E2D")) {
                mount.put(name, name);
                assertThat(mount.kernel.readAll(name)).isEqualTo(Mounted.bytes(name));
            }
        }
    }

    @Test
    void aLookupCostsOneHeadAndOneList() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "1");
            long node = mount.kernel.lookup(ROOT, "f").node();
            assertRequests(mount, 1, 1);

            mount.kernel.open(node, FileFlags.O_RDONLY);
            assertRequests(mount, 2, 2);

            mount.kernel.lookup(ROOT, "f");
            assertRequests(mount, 3, 3);
        }
    }

    @Test
    void withATimeToLiveLookupAndOpenAreAnsweredFromMemory() {
        try (Mounted mount = Mounted.with(Mounted.cachingConfig())) {
            mount.put("f", "1");
            long node = mount.kernel.lookup(ROOT, "f").node();

            mount.kernel.open(node, FileFlags.O_RDONLY);
            assertThat(mount.kernel.looksUpInline(ROOT, "f")).isTrue();
            assertRequests(mount, 1, 1);

            mount.clock.advance(Duration.ofSeconds(61));
            mount.kernel.lookup(ROOT, "f");
            assertRequests(mount, 2, 2);
        }
    }

    @Test
    void directOpensAskTheStoreWhateverIsCached() {
        try (Mounted mount = Mounted.with(Mounted.cachingConfig())) {
            mount.put("f", "old");
            long node = mount.kernel.lookup(ROOT, "f").node();
            mount.put("f", "new");

            mount.kernel.open(node, FileFlags.O_RDONLY);
            assertErrno(Errno.ESTALE, () -> mount.kernel.open(node, FileFlags.O_RDONLY | FileFlags.O_DIRECT));
            assertThat(mount.kernel.readAll("f")).isEqualTo(Mounted.bytes("new"));
        }
    }

    @Test
    void whatIsBelievedToBeThereIsNotMadeAgain() {
        try (Mounted mount = Mounted.with(Mounted.cachingConfig())) {
            mount.put("f", "1");
            mount.put("d/x", "1");
            mount.kernel.node("f");
            mount.kernel.node("d");
            remove(mount, "f");
            remove(mount, "d/x");
            mount.awaitQuestions();
            mount.memory.forgetRequests();

            assertErrno(Errno.EEXIST, () -> mount.kernel.mknod("f", 0100644));
            assertErrno(Errno.EEXIST, () -> mount.kernel.mkdir("d"));
            assertErrno(Errno.EEXIST, () -> mount.kernel.create("f", FileFlags.O_WRONLY | FileFlags.O_EXCL));
            assertThat(mount.memory.requests()).isZero();
        }
    }

    @Test
    void absentNamesAreRememberedForTheirTime() {
        try (Mounted mount = Mounted.with(Mounted.cachingConfig())) {
            assertErrno(Errno.ENOENT, () -> mount.kernel.lookup(ROOT, "f"));
            mount.put("f", "1");

            assertErrno(Errno.ENOENT, () -> mount.kernel.lookup(ROOT, "f"));
            assertRequests(mount, 1, 1);

            mount.clock.advance(Duration.ofSeconds(61));
            mount.kernel.lookup(ROOT, "f");
        }
    }

    @Test
    void listingADirectoryEndsTheAbsenceOfItsNames() {
        try (Mounted mount = Mounted.with(Mounted.cachingConfig())) {
            assertErrno(Errno.ENOENT, () -> mount.kernel.lookup(ROOT, "f"));
            mount.put("f", "1");
            // The listing must be asked for after the name was found absent.
            mount.clock.advance(Duration.ofMillis(1));

            assertThat(mount.kernel.ls("")).containsExactly("f");
            assertThat(mount.kernel.looksUpInline(ROOT, "f")).isTrue();
            assertRequests(mount, 1, 2);
        }
    }

    @Test
    void aListedFileIsOpenedWithoutAsking() {
        try (Mounted mount = Mounted.with(Mounted.cachingConfig())) {
            mount.put("f", "1");
            long node = mount.kernel.list("", 10).getFirst().number();

            mount.kernel.open(node, FileFlags.O_RDONLY);

            assertRequests(mount, 0, 1);
        }
    }

    @Test
    void anotherVersionIsAnotherNumber() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "1");
            Entry first = mount.kernel.lookup(ROOT, "f");
            assertThat(mount.kernel.lookup(ROOT, "f").node()).isEqualTo(first.node());

            mount.put("f", "2");
            Entry second = mount.kernel.lookup(ROOT, "f");

            assertThat(second.node()).isNotEqualTo(first.node());
            assertErrno(Errno.ESTALE, () -> mount.kernel.getattr(first.node()));
            assertErrno(Errno.ESTALE, () -> mount.kernel.open(first.node(), FileFlags.O_RDONLY));
        }
    }

    @Test
    void vanishedNamesAreNotFound() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "1");
            mount.put("d/x", "1");
            long file = mount.kernel.lookup(ROOT, "f").node();
            long directory = mount.kernel.lookup(ROOT, "d").node();
            remove(mount, "f");
            remove(mount, "d/x");
            mount.clock.advance(Duration.ofSeconds(2));

            assertErrno(Errno.ENOENT, () -> mount.kernel.getattr(file));
            // The kernel then walks the path again, and may have to make the file.
            assertErrno(Errno.ESTALE, () -> mount.kernel.open(file, FileFlags.O_RDONLY));
            assertErrno(Errno.ENOENT, () -> mount.kernel.getattr(directory));
            assertErrno(Errno.ENOENT, () -> mount.kernel.lookup(ROOT, "f"));
            assertErrno(Errno.ENOENT, () -> mount.kernel.lookup(ROOT, "d"));
        }
    }

    @Test
    void whatIsFoundInADirectoryProvesIt() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("a/b/f", "1");
            long a = mount.kernel.lookup(ROOT, "a").node();
            long b = mount.kernel.lookup(a, "b").node();
            mount.clock.advance(Duration.ofMillis(900));
            mount.kernel.lookup(b, "f");
            mount.clock.advance(Duration.ofMillis(900));
            mount.awaitQuestions();
            mount.memory.forgetRequests();

            assertThat(mount.kernel.looksUpInline(ROOT, "a")).isTrue();
            assertThat(mount.kernel.lookup(ROOT, "a").nameValidNanos())
                    .isBetween(
                            Duration.ofMillis(99).toNanos(),
                            Duration.ofMillis(100).toNanos());
            assertThat(mount.memory.requests()).isZero();
        }
    }

    @Test
    void forgottenNumbersAreGone() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("d/f", "1");
            long directory = mount.kernel.lookup(ROOT, "d").node();
            long file = mount.kernel.lookup(directory, "f").node();
            mount.kernel.lookup(directory, "f");

            mount.kernel.forget(file, 1);
            mount.kernel.getattr(file);
            mount.kernel.forget(file, 1);

            assertErrno(Errno.ESTALE, () -> mount.kernel.getattr(file));
            mount.kernel.forget(directory, 1);
            assertErrno(Errno.ESTALE, () -> mount.kernel.getattr(directory));
            assertThat(mount.fileSystem.inodes()).isEqualTo(1);
        }
    }

    @Test
    void aForgottenNumberIsNotUsedAgain() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "1");
            long first = mount.kernel.lookup(ROOT, "f").node();
            mount.kernel.forget(first, 1);

            assertThat(mount.kernel.lookup(ROOT, "f").node()).isGreaterThan(first);
        }
    }

    @Test
    void thoseWhoAskTogetherGetTheSameNumber() throws Exception {
        try (Mounted mount = Mounted.with(Mounted.config());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            mount.put("f", "1");
            List<Callable<Long>> lookups =
                    Collections.nCopies(8, () -> mount.kernel.lookup(ROOT, "f").node());
            Set<Long> numbers = new HashSet<>();
            for (Future<Long> each : threads.invokeAll(lookups)) {
                numbers.add(each.get());
            }
            assertThat(numbers).hasSize(1);
            assertThat(mount.fileSystem.inodes()).isEqualTo(2);
        }
    }

    @Test
    void aForbiddenObjectIsRefusedAndTheRestIsFine() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("secret", "1");
            mount.put("open", "2");
            mount.faults.at(
                    StoreOperation.HEAD_OBJECT,
                    1,
                    new Fault.Fail(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)));

            assertErrno(Errno.EACCES, () -> mount.kernel.lookup(ROOT, "secret"));
            assertThat(mount.kernel.readAll("open")).containsExactly('2');
        }
    }

    @Test
    void aStoreThatRefusesWhatIsAbsentDoesNotStopCreation() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("secret", "1");
            mount.put("newer", "2");
            mount.faults.always(
                    StoreOperation.HEAD_OBJECT,
                    new Fault.Fail(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)));

            assertErrno(Errno.EACCES, () -> mount.kernel.lookup(ROOT, "secret"));
            assertErrno(Errno.ENOENT, () -> mount.kernel.lookup(ROOT, "new"));
            mount.kernel.writeAll("new", Mounted.bytes("3"), 1);

            assertThat(mount.stored("new")).isEqualTo("3");
        }
    }

    @Test
    void aRefusedHeadDoesNotHideADirectory() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("d/x", "1");
            mount.faults.always(
                    StoreOperation.HEAD_OBJECT,
                    new Fault.Fail(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)));

            assertThat(mount.kernel.lookup(ROOT, "d").attributes().isDirectory())
                    .isTrue();
        }
    }

    @Test
    void aFailingStoreIsAnInputOutputError() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "1");
            mount.faults.at(StoreOperation.LIST_OBJECTS, 1, new Fault.Fail(new StoreFailure.Throttled()));
            assertErrno(Errno.EIO, () -> mount.kernel.lookup(ROOT, "f"));
            mount.faults.at(StoreOperation.HEAD_OBJECT, 2, new Fault.Fail(new StoreFailure.ServerError()));
            assertErrno(Errno.EIO, () -> mount.kernel.lookup(ROOT, "f"));

            mount.kernel.lookup(ROOT, "f");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GLACIER", "DEEP_ARCHIVE"})
    void archivedObjectsCannotBeOpened(String storageClass) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "1");
            for (RestoreStatus status : List.of(RestoreStatus.NOT_REQUESTED, RestoreStatus.IN_PROGRESS)) {
                mount.memory.archive("f", storageClass, status);
                assertThat(mount.kernel.stat("f").mode()).isEqualTo(0100000);
                assertThat(Objects.requireNonNull(
                                        mount.kernel.list("", 10).getFirst().entry())
                                .attributes()
                                .mode())
                        .as("in a listing")
                        .isEqualTo(0100000);
                assertErrno(Errno.EACCES, () -> mount.kernel.open("f", FileFlags.O_RDONLY));
            }

            mount.memory.archive("f", storageClass, new RestoreStatus.Restored(ManualTime.START));
            assertThat(mount.kernel.stat("f").mode()).isEqualTo(0100644);
            assertThat(mount.kernel.readAll("f")).containsExactly('1');
        }
    }

    @Test
    void anArchivedObjectThatCouldNotBeOpenedIsNotInUse() {
        try (Mounted mount =
                Mounted.with(Mounted.config().withPermissions(FileSystemConfig.Permissions.DEFAULTS.withOverwrite()))) {
            mount.put("f", "1");
            mount.memory.archive("f", "GLACIER", RestoreStatus.NOT_REQUESTED);
            assertErrno(Errno.EACCES, () -> mount.kernel.open("f", FileFlags.O_RDONLY));

            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_WRONLY | FileFlags.O_TRUNC);
            mount.kernel.write(file, 0, Mounted.bytes("new"));
            mount.kernel.close(file);

            assertThat(mount.stored("f")).isEqualTo("new");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"STANDARD_IA", "GLACIER_IR", "INTELLIGENT_TIERING", "COLD"})
    void otherStorageClassesAreReadAsAny(String storageClass) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "1");
            mount.memory.archive("f", storageClass, RestoreStatus.NOT_REQUESTED);

            assertThat(mount.kernel.stat("f").mode()).isEqualTo(0100644);
            assertThat(mount.kernel.readAll("f")).containsExactly('1');
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "512, 1", "513, 2", "1048576, 2048"})
    void blocksAreThoseThatASizeNeeds(int size, long blocks) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.addRamp("f", size, 1);
            assertThat(mount.kernel.stat("f").blocks()).isEqualTo(blocks);
        }
    }

    @Test
    void statisticsShowAnEndlessOrTheConfiguredSize() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            assertThat(mount.kernel.statfs().blocks()).isEqualTo(18014398509481983L);
            assertThat(mount.kernel.statfs().blockSize()).isEqualTo(512);
            assertThat(mount.kernel.statfs().nameLength()).isEqualTo(255);
        }
        try (Mounted mount = Mounted.with(Mounted.config().withCapacity(1 << 20))) {
            assertThat(mount.kernel.statfs().blocks()).isEqualTo(2048);
            assertThat(mount.kernel.statfs().availableBlocks()).isEqualTo(2048);
        }
    }

    private static void remove(Mounted mount, String key) {
        try {
            mount.memory.delete(key);
        } catch (s3csi.s3.StoreException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertRequests(Mounted mount, long heads, long lists) {
        assertThat(mount.memory.requests(StoreOperation.HEAD_OBJECT)).as("HEAD").isEqualTo(heads);
        assertThat(mount.memory.requests(StoreOperation.LIST_OBJECTS))
                .as("LIST")
                .isEqualTo(lists);
    }
}
