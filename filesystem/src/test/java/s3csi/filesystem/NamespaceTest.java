package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.ErrnoException;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.fuse.AttributeChanges;
import s3csi.fuse.FileSystem;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

/** Directories, removal and renaming. */
class NamespaceTest {
    private static final int WRONLY = FileFlags.O_WRONLY;

    @Test
    void directoriesAreLocalUntilSomethingIsStoredInThem() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            long made = mount.kernel.mkdir("d").node();
            assertThat(mount.memory.all()).isEmpty();
            assertThat(mount.kernel.ls("")).containsExactly("d/");
            assertErrno(Errno.EEXIST, () -> mount.kernel.mkdir("d"));

            mount.kernel.mkdir("d/e");
            mount.kernel.writeAll("d/e/f", content(3), 3);
            mount.clock.advance(Duration.ofSeconds(5));

            assertThat(mount.storedBytes("d/e/f")).isEqualTo(content(3));
            assertThat(mount.kernel.node("d")).isEqualTo(made);
            assertErrno(Errno.EPERM, () -> mount.kernel.rmdir("d"));
        }
    }

    @Test
    void aLocalDirectoryOutlivesItsFileBeingForgotten() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            long made = mount.kernel.mkdir("d").node();
            mount.kernel.forget(made, 1);
            mount.clock.advance(Duration.ofSeconds(5));

            assertThat(mount.kernel.node("d")).isEqualTo(made);
        }
    }

    @Test
    void timesOfADirectoryCanBeSetUntilSomethingIsStoredInIt() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            Instant time = Instant.parse("2001-02-03T04:05:06Z");
            long made = mount.kernel.mkdir("d").node();
            Instant before = mount.kernel.getattr(made).modified();

            mount.kernel.setattr(made, AttributeChanges.MODIFIED, 0, time);
            assertThat(mount.kernel.stat("d").modified()).isEqualTo(time);

            mount.kernel.writeAll("d/f", content(3), 3);
            assertThat(mount.kernel.stat("d").modified()).isEqualTo(before);
            assertErrno(Errno.EPERM, () -> mount.kernel.setattr(made, AttributeChanges.MODIFIED, 0, time));
            assertThat(mount.kernel.stat("d").modified()).isEqualTo(before);
        }
    }

    @Test
    void onlyEmptyLocalDirectoriesAreRemoved() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("remote/x", "");
            mount.put("marked/", "");
            mount.put("file", "");
            mount.kernel.mkdir("d");
            FakeKernel.File file = mount.kernel.create("d/f", WRONLY);

            assertErrno(Errno.ENOTEMPTY, () -> mount.kernel.rmdir("d"));
            mount.kernel.close(file);
            assertErrno(Errno.EPERM, () -> mount.kernel.rmdir("d"));
            assertErrno(Errno.EPERM, () -> mount.kernel.rmdir("remote"));
            assertErrno(Errno.EPERM, () -> mount.kernel.rmdir("marked"));
            assertErrno(Errno.ENOTDIR, () -> mount.kernel.rmdir("file"));
            assertErrno(Errno.ENOENT, () -> mount.kernel.rmdir("nothing"));
            assertThat(mount.kernel.ls("")).containsExactly("d/", "file", "marked/", "remote/");
        }
    }

    @Test
    void nothingIsCreatedInARemovedDirectory() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            long node = mount.kernel.mkdir("d").node();
            mount.kernel.rmdir("d");

            assertErrno(Errno.ENOENT, () -> mount.kernel.create(node, "f", WRONLY));
            assertErrno(Errno.ENOENT, () -> mount.kernel.mkdir(node, "e"));
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("d"));
            assertErrno(Errno.ENOENT, () -> mount.kernel.rmdir("d"));
            assertThat(mount.kernel.mkdir("d").node()).isNotEqualTo(node);
        }
    }

    @Test
    void removingADirectoryWhoseFilesWereRemovedSucceeds() {
        try (Mounted mount = Mounted.with(deleting())) {
            mount.put("d/x", "");
            mount.kernel.unlink("d/x");

            mount.kernel.rmdir("d");

            assertErrno(Errno.ENOENT, () -> mount.kernel.node("d"));
        }
    }

    @Test
    void aDirectoryStaysWhenItsLastFileIsRemoved() {
        try (Mounted mount = Mounted.with(deleting())) {
            mount.put("a/d/x", "");
            mount.kernel.unlink("a/d/x");
            mount.clock.advance(Duration.ofSeconds(5));

            assertThat(mount.kernel.ls("a")).containsExactly("d/");
            mount.kernel.close(mount.kernel.create("a/d/y", WRONLY));
            assertThat(mount.kernel.ls("a/d")).containsExactly("y");
        }
    }

    @Test
    void aDirectoryInWhichOneOfManyFilesIsRemovedIsThatOfTheStore() throws StoreException {
        try (Mounted mount = Mounted.with(deleting())) {
            mount.put("d/x", "");
            mount.put("d/y", "");
            mount.kernel.unlink("d/x");

            assertErrno(Errno.EPERM, () -> mount.kernel.rmdir("d"));
            mount.memory.delete("d/y");
            mount.clock.advance(Duration.ofSeconds(5));

            assertErrno(Errno.ENOENT, () -> mount.kernel.node("d"));
        }
    }

    @Test
    void emptiedDirectoriesDoNotStayInMemory() {
        try (Mounted mount = Mounted.with(deleting())) {
            long before = mount.fileSystem.inodes();
            mount.put("a/d/x", "");
            long a = mount.kernel.lookup(1, "a").node();
            long d = mount.kernel.lookup(a, "d").node();
            // Finds the way to it, which are two more lookups.
            mount.kernel.unlink("a/d/x");

            mount.kernel.forget(d, 2);
            mount.kernel.forget(a, 2);

            assertThat(mount.fileSystem.inodes()).isEqualTo(before);
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("a"));
        }
    }

    @Test
    void removingFilesMustBeAllowed() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "");
            assertErrno(Errno.EPERM, () -> mount.kernel.unlink("f"));
            assertThat(mount.memory.find("f")).isNotNull();
        }
    }

    @Test
    void whatMayNotBeRemovedIsStillWritten() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", FileFlags.O_WRONLY);
            mount.kernel.write(file, 0, Mounted.bytes("all "));
            assertErrno(Errno.EPERM, () -> mount.kernel.unlink("f"));
            mount.kernel.write(file, 4, Mounted.bytes("of it"));
            mount.kernel.close(file);

            assertThat(mount.stored("f")).isEqualTo("all of it");
        }
    }

    /** The kernel knows nothing of what was found, so it never forgets it. */
    @Test
    void whatKeepsANameFromBeingMadeOrRemovedIsOnlyLookedAt() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("g", "1");
            mount.put("d/x", "");

            refused(mount, Errno.EEXIST, () -> mount.kernel.create("g", FileFlags.O_WRONLY | FileFlags.O_EXCL));
            refused(mount, Errno.EISDIR, () -> mount.kernel.create("d", FileFlags.O_WRONLY));
            refused(mount, Errno.EEXIST, () -> mount.kernel.mkdir("g"));
            refused(mount, Errno.EPERM, () -> mount.kernel.unlink("g"));
            refused(mount, Errno.EPERM, () -> mount.kernel.rmdir("d"));
        }
    }

    /** Looked at after each call, as the next one about the same name would tidy up. */
    private static void refused(Mounted mount, int errno, ThrowingCallable call) {
        long before = mount.fileSystem.inodes();
        assertErrno(errno, call);
        assertThat(mount.fileSystem.inodes()).isEqualTo(before);
    }

    @Test
    void whatIsInTheWayOfARenameIsOnlyLookedAt() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("g", "1");
            mount.put("d/x", "");
            FakeKernel.File file = mount.kernel.create("f", FileFlags.O_WRONLY);
            long before = mount.fileSystem.inodes();

            assertErrno(Errno.EEXIST, () -> mount.kernel.rename("f", "g", 0));
            assertErrno(Errno.EISDIR, () -> mount.kernel.rename("f", "d", 0));

            assertThat(mount.fileSystem.inodes()).isEqualTo(before);
            mount.kernel.close(file);
        }
    }

    @Test
    void filesAreRemoved() {
        try (Mounted mount = Mounted.with(deleting())) {
            mount.put("f", "");
            mount.put("d/x", "");
            mount.kernel.unlink("f");

            assertThat(mount.memory.find("f")).isNull();
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            assertErrno(Errno.ENOENT, () -> mount.kernel.unlink("f"));
            assertErrno(Errno.EISDIR, () -> mount.kernel.unlink("d"));
        }
    }

    @Test
    void removingWhatIsKnownAsksNobody() {
        try (Mounted mount = Mounted.with(
                Mounted.cachingConfig().withPermissions(FileSystemConfig.Permissions.DEFAULTS.withDelete()))) {
            mount.put("f", "");
            mount.kernel.node("f");
            mount.memory.forgetRequests();

            mount.kernel.unlink("f");

            assertThat(mount.memory.requests(StoreOperation.DELETE_OBJECT)).isEqualTo(1);
            assertThat(mount.memory.requests()).isEqualTo(1);
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            assertThat(mount.memory.requests()).isEqualTo(1);
        }
    }

    @Test
    void aFailedRemovalLeavesTheName() {
        try (Mounted mount = Mounted.with(deleting())) {
            mount.put("f", "1");
            mount.faults.at(StoreOperation.DELETE_OBJECT, 1, new Fault.Fail(new StoreFailure.ServerError()));

            assertErrno(Errno.EIO, () -> mount.kernel.unlink("f"));
            assertThat(mount.kernel.readAll("f")).containsExactly('1');
        }
    }

    @Test
    void aReaderOfARemovedFileGetsAnErrorOrTheOldBytes() {
        try (Mounted mount = Mounted.with(deleting())) {
            mount.memory.addRamp("f", 40 << 20, 1);
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.kernel.unlink("f");

            assertThat(mount.kernel.ls("")).isEmpty();
            assertErrno(Errno.EIO, () -> mount.kernel.read(file, 30 << 20, 1000));
            mount.clock.advance(Duration.ofSeconds(5));
            assertThat(mount.kernel.fstat(file).size()).isEqualTo(40 << 20);
            assertThat(mount.kernel.fstat(file).links()).isZero();
            mount.kernel.close(file);
        }
    }

    @Test
    void whoeverHasAFileOpenSeesItsAttributesWhateverBecameOfTheName() throws StoreException {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("replaced", "first");
            mount.put("removed", "1");
            mount.put("d/x", "");
            FakeKernel.File replaced = mount.kernel.open("replaced", FileFlags.O_RDONLY);
            FakeKernel.File removed = mount.kernel.open("removed", FileFlags.O_RDONLY);
            Instant stored = mount.kernel.fstat(replaced).modified();
            FakeKernel.File directory = mount.kernel.opendir("d");
            mount.put("replaced", "another");
            mount.memory.delete("removed");
            mount.memory.delete("d/x");
            mount.clock.advance(Duration.ofSeconds(5));
            mount.awaitQuestions();
            mount.memory.forgetRequests();

            assertThat(mount.kernel.fstat(replaced).size()).isEqualTo(5);
            assertThat(mount.kernel.fstat(replaced).modified()).isEqualTo(stored);
            assertThat(mount.kernel.fstat(removed).size()).isEqualTo(1);
            assertThat(mount.kernel.getattr(directory.node()).isDirectory()).isTrue();
            assertThat(mount.memory.requests()).isZero();

            assertThat(mount.kernel.stat("replaced").size()).isEqualTo(7);
            assertErrno(Errno.ENOENT, () -> mount.kernel.stat("removed"));
            assertErrno(Errno.ENOENT, () -> mount.kernel.stat("d"));
            assertThat(mount.kernel.fstat(replaced).links()).isZero();
            assertThat(mount.kernel.stat("replaced").links()).isEqualTo(1);
            assertErrno(Errno.ESTALE, () -> mount.kernel.open(replaced.node(), FileFlags.O_RDONLY));

            mount.kernel.close(replaced);
            mount.kernel.close(removed);
            mount.kernel.releasedir(directory);
            assertErrno(Errno.ESTALE, () -> mount.kernel.fstat(replaced));
            assertErrno(Errno.ENOENT, () -> mount.kernel.fstat(removed));
            assertErrno(Errno.ENOENT, () -> mount.kernel.getattr(directory.node()));
        }
    }

    @Test
    void aFileWhoseWriteFailedShowsHowFarItCame() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(300));
            assertErrno(Errno.EINVAL, () -> mount.kernel.write(file, 700, content(1)));

            assertThat(mount.kernel.fstat(file).size()).isEqualTo(300);
            assertErrno(Errno.ENOENT, () -> mount.kernel.stat("f"));
        }
    }

    @Test
    void aReaderOfAReplacedFileGetsStale() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.addRamp("f", 40 << 20, 1);
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.put("f", "new");

            assertErrno(Errno.ESTALE, () -> mount.kernel.read(file, 30 << 20, 1000));
            assertThat(mount.kernel.readAll("f")).isEqualTo(Mounted.bytes("new"));
        }
    }

    @Test
    void aFileBeingWrittenCanBeRemoved() {
        try (Mounted mount = Mounted.with(deleting())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(2500));

            mount.kernel.unlink("f");

            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            assertErrno(Errno.EPERM, () -> mount.kernel.open(file.node(), FileFlags.O_RDONLY));
            mount.kernel.flush(file);
            assertErrno(Errno.EPERM, () -> mount.kernel.open(file.node(), FileFlags.O_RDONLY));
            // As for any removed file that is still open: writing goes on, into nothing.
            mount.kernel.write(file, 2500, content(2500));
            mount.kernel.close(file);
            mount.fileSystem.close();
            assertThat(mount.memory.find("f")).isNull();
            assertThat(mount.memory.hasUploadInProgress("f")).isFalse();
            assertThat(mount.heldForData()).isZero();
        }
    }

    @Test
    void renamingIsLeftToPrograms() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "");
            mount.put("g", "");
            mount.put("d/x", "");
            assertErrno(Errno.EXDEV, () -> mount.kernel.rename("f", "h", 0));
            assertErrno(Errno.EXDEV, () -> mount.kernel.rename("d", "e", 0));
            assertErrno(Errno.EEXIST, () -> mount.kernel.rename("f", "g", 1));
            assertErrno(Errno.EINVAL, () -> mount.kernel.rename("f", "g", 2));
            assertErrno(Errno.ENOENT, () -> mount.kernel.rename("nothing", "g", 0));
        }
    }

    @Test
    void aNewFileIsStoredUnderTheNameThatItHasAtTheEnd() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.kernel.mkdir("d");
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(300));
            mount.kernel.rename("f", "d/g", 0);

            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            assertThat(mount.kernel.node("d/g")).isEqualTo(file.node());
            assertThat(mount.kernel.ls("")).containsExactly("d/");
            assertThat(mount.kernel.ls("d")).containsExactly("g");

            mount.kernel.rename("d/g", "h.txt", 0);
            mount.kernel.write(file, 300, content(4000));
            assertThat(mount.kernel.stat("h.txt").size()).isEqualTo(4300);
            mount.kernel.close(file);

            assertThat(mount.memory.all()).hasSize(1);
            assertThat(mount.storedBytes("h.txt")).hasSize(4300);
            assertThat(mount.kernel.node("h.txt")).isEqualTo(file.node());
            assertThat(mount.kernel.ls("d")).isEmpty();
            mount.kernel.rmdir("d");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDirectoryThatIsBeingReadDoesNotShowWhatWasMovedElsewhere(boolean withEntries) {
        try (Mounted mount = Mounted.with(deleting())) {
            mount.kernel.mkdir("a");
            mount.kernel.mkdir("b");
            FakeKernel.File moved = mount.kernel.create("a/tmp", WRONLY);
            FakeKernel.File removed = mount.kernel.create("a/removed", WRONLY);
            FakeKernel.File directory = mount.kernel.opendir("a");
            mount.kernel.rename("a/tmp", "b/final", 0);
            mount.kernel.unlink("a/removed");

            List<FakeKernel.Listed> listed =
                    withEntries ? mount.kernel.readdirplus(directory, 0, 100) : mount.kernel.readdir(directory, 0, 100);

            assertThat(listed).extracting(FakeKernel.Listed::name).containsExactly(".", "..");
            mount.kernel.releasedir(directory);
            mount.kernel.close(moved);
            mount.kernel.close(removed);
        }
    }

    @Test
    void aFileThatNobodyHasOpenedYetIsRenamed() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            long made = mount.kernel.mknod("f", 0100644).node();
            mount.kernel.rename("f", "g", 0);

            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            FakeKernel.File file = mount.kernel.open(made, WRONLY);
            mount.kernel.write(file, 0, content(3));
            mount.kernel.close(file);
            assertThat(mount.storedBytes("g")).isEqualTo(content(3));
            assertThat(mount.memory.find("f")).isNull();
        }
    }

    @Test
    void aNameThatNoKeyHasRoomForIsRefusedAndTheFileKeepsItsOwn() {
        try (Mounted mount = Mounted.with(Mounted.config().withPrefix("p".repeat(1000) + '/'))) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(3));

            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.rename("f", "x".repeat(24), 0));
            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.rename("f", "x".repeat(256), 0));
            assertErrno(Errno.EINVAL, () -> mount.kernel.rename("f", "..", 0));
            mount.kernel.close(file);

            assertThat(mount.storedBytes("p".repeat(1000) + "/f")).isEqualTo(content(3));
        }
    }

    @Test
    void whatIsPartlyInTheStoreIsNotRenamed() {
        try (Mounted mount = Mounted.with(overwriting())) {
            mount.put("old", "before");
            FakeKernel.File large = mount.kernel.create("large", WRONLY);
            mount.kernel.write(large, 0, content(2500));
            FakeKernel.File replacing = mount.kernel.open("old", WRONLY | FileFlags.O_TRUNC);
            FakeKernel.File synced = mount.kernel.create("synced", WRONLY);
            mount.kernel.write(synced, 0, content(10));
            mount.kernel.fsync(synced);
            assertErrno(Errno.EXDEV, () -> mount.kernel.rename("synced", "x", 0));
            mount.kernel.write(synced, 10, content(10));

            assertErrno(Errno.EPERM, () -> mount.kernel.rename("large", "x", 0));
            assertErrno(Errno.EPERM, () -> mount.kernel.rename("old", "x", 0));
            assertErrno(Errno.EPERM, () -> mount.kernel.rename("synced", "x", 0));

            mount.kernel.write(replacing, 0, content(5));
            List.of(large, replacing, synced).forEach(mount.kernel::close);
            assertThat(mount.storedBytes("large")).isEqualTo(content(2500));
            assertThat(mount.storedBytes("old")).isEqualTo(content(5));
            assertThat(mount.storedBytes("synced")).hasSize(20);
            assertThat(mount.memory.find("x")).isNull();
        }
    }

    @Test
    void aNewFileReplacesAnotherByItsNameOnlyWhereThatIsAllowed() {
        try (Mounted mount = Mounted.with(overwriting())) {
            mount.put("g", "old");
            mount.put("d/x", "");
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            FakeKernel.File other = mount.kernel.create("other", WRONLY);
            FakeKernel.File reader = mount.kernel.open("g", FileFlags.O_RDONLY);
            mount.kernel.write(file, 0, content(3));
            assertErrno(Errno.EEXIST, () -> mount.kernel.rename("f", "g", 1));
            assertErrno(Errno.EISDIR, () -> mount.kernel.rename("f", "d", 0));
            assertErrno(Errno.EPERM, () -> mount.kernel.rename("f", "other", 0));

            mount.kernel.rename("f", "g", 0);
            assertThat(mount.stored("g")).isEqualTo("old");
            assertThat(mount.kernel.stat("g").size()).isEqualTo(3);
            assertThat(mount.kernel.fstat(reader).size()).isEqualTo(3);
            List.of(file, other, reader).forEach(mount.kernel::close);
            assertThat(mount.storedBytes("g")).isEqualTo(content(3));
            assertThat(mount.memory.find("f")).isNull();
        }
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("g", "old");
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            assertErrno(Errno.EEXIST, () -> mount.kernel.rename("f", "g", 0));
            mount.kernel.close(file);
            assertThat(mount.stored("g")).isEqualTo("old");
            assertThat(mount.memory.find("f")).isNotNull();
        }
    }

    @Test
    void aRenameThatComesDuringTheCloseIsTooLate() throws Exception {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(300));
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.PUT_OBJECT, 1, hold);
            Thread closing = Thread.ofVirtual().start(() -> mount.kernel.close(file));
            assertThat(hold.reached().await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Integer> errno = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    mount.kernel.rename("f", "g", 0);
                    errno.complete(0);
                } catch (ErrnoException e) {
                    errno.complete(e.errno());
                }
            });

            hold.released().countDown();

            assertThat(errno.get(30, TimeUnit.SECONDS)).isEqualTo(Errno.EXDEV);
            closing.join();
            assertThat(mount.storedBytes("f")).isEqualTo(content(300));
            assertThat(mount.memory.find("g")).isNull();
        }
    }

    @Test
    void aFileThatBecameADirectoryElsewhereIsOne() throws StoreException {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("a", "");
            long file = mount.kernel.node("a");
            mount.put("a/b", "");
            assertThat(mount.kernel.node("a")).isNotEqualTo(file);
            assertThat(mount.kernel.ls("")).containsExactly("a/");
            mount.memory.delete("a/b");
            mount.clock.advance(Duration.ofSeconds(2));

            assertThat(mount.kernel.lookup(FileSystem.ROOT, "a").attributes().isDirectory())
                    .isFalse();
        }
    }

    private static FileSystemConfig overwriting() {
        return Mounted.config().withPermissions(FileSystemConfig.Permissions.DEFAULTS.withOverwrite());
    }

    private static FileSystemConfig deleting() {
        return Mounted.config().withPermissions(FileSystemConfig.Permissions.DEFAULTS.withDelete());
    }
}
