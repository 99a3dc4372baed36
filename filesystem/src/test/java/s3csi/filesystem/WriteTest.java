package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.fuse.AttributeChanges;
import s3csi.fuse.FileSystem;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreOperation;

class WriteTest {
    private static final int WRONLY = FileFlags.O_WRONLY;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32, 999, 1000, 1001, 2000, 12_345})
    void filesOfAnySizeAreStored(int size) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            byte[] content = content(size);

            mount.kernel.writeAll("dir-less", content, 77);

            assertThat(mount.storedBytes("dir-less")).isEqualTo(content);
            assertThat(mount.kernel.readAll("dir-less")).isEqualTo(content);
            Eventually.that(() -> mount.heldForData() == 0);
        }
    }

    @Test
    void aFileOfOnePartTakesOneRequest() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.kernel.writeAll("f", content(Mounted.PART), 100);

            assertThat(mount.memory.requests(StoreOperation.PUT_OBJECT)).isEqualTo(1);
            assertThat(mount.memory.requests(StoreOperation.CREATE_UPLOAD)).isZero();
            // The lookup of the kernel; creating does not ask again.
            assertThat(mount.memory.requests(StoreOperation.HEAD_OBJECT)).isEqualTo(1);
            assertThat(mount.memory.requests(StoreOperation.LIST_OBJECTS)).isEqualTo(1);
        }
    }

    @Test
    void aLargerFileIsStoredInParts() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.kernel.writeAll("f", content(10 * Mounted.PART + 1), 333);

            assertThat(mount.memory.requests(StoreOperation.UPLOAD_PART)).isEqualTo(11);
            assertThat(mount.memory.requests(StoreOperation.PUT_OBJECT)).isZero();
            assertThat(mount.memory.hasUploadInProgress("f")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {WRONLY, FileFlags.O_RDWR, WRONLY | FileFlags.O_APPEND, FileFlags.O_RDWR | FileFlags.O_APPEND})
    void aFileBeingWrittenIsVisibleWithItsSizeAndCannotBeRead(int flags) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", flags);
            assertThat(mount.kernel.stat("f").size()).isZero();

            mount.kernel.write(file, 0, content(5));

            assertThat(mount.kernel.fstat(file).size()).isEqualTo(5);
            assertThat(mount.kernel.stat("f").size()).isEqualTo(5);
            assertThat(mount.kernel.ls("")).containsExactly("f");
            assertErrno(Errno.EBADF, () -> mount.kernel.read(file, 0, 5));
            assertThat(mount.kernel.read(file, 5, 5)).isEmpty();
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", FileFlags.O_RDONLY));
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", WRONLY));
            mount.kernel.close(file);
            assertThat(mount.kernel.stat("f").size()).isEqualTo(5);
            mount.clock.advance(Duration.ofSeconds(5));
            assertThat(mount.kernel.stat("f").size()).isEqualTo(5);
        }
    }

    @Test
    void theNumberStaysWhenAFileIsStored() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("d-less", WRONLY);
            mount.kernel.write(file, 0, content(5));
            mount.kernel.close(file);
            mount.clock.advance(Duration.ofSeconds(5));

            assertThat(mount.kernel.node("d-less")).isEqualTo(file.node());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-27, 28})
    void writesOutOfOrderAreRefusedForGood(int shift) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(2 * Mounted.PART));

            assertErrno(Errno.EINVAL, () -> mount.kernel.write(file, 2 * Mounted.PART + shift, content(10)));
            assertErrno(Errno.EINVAL, () -> mount.kernel.write(file, 2 * Mounted.PART, content(10)));
            assertErrno(Errno.EINVAL, () -> mount.kernel.flush(file));
            mount.kernel.release(file);

            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            assertThat(mount.memory.find("f")).isNull();
            mount.fileSystem.close();
            assertThat(mount.memory.hasUploadInProgress("f")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {FileFlags.O_SYNC, FileFlags.O_DSYNC})
    void synchronousOpensAreRefused(int flag) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("old", "");
            assertErrno(Errno.EINVAL, () -> mount.kernel.create("new", WRONLY | flag));
            assertErrno(Errno.EINVAL, () -> mount.kernel.open("old", flag));
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("new"));
        }
    }

    @Test
    void existingFilesAreNotWrittenByDefault() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "old");
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", WRONLY));
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC));
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", WRONLY | FileFlags.O_APPEND));

            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDWR);
            assertThat(mount.kernel.read(file, 0, 10)).isEqualTo(Mounted.bytes("old"));
            assertErrno(Errno.EBADF, () -> mount.kernel.write(file, 0, content(1)));
            assertErrno(Errno.EPERM, () -> mount.kernel.truncate(file.node(), 0));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEmptyFileExistsAsMuchAsAnyOther(boolean mayOverwrite) {
        try (Mounted mount = Mounted.with(mayOverwrite ? overwriting() : Mounted.config())) {
            String before = mount.put("f", "").content().etag().text();
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", WRONLY));
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDWR);
            assertErrno(Errno.EBADF, () -> mount.kernel.write(file, 0, content(1)));
            mount.kernel.close(file);

            assertThat(mount.storedBytes("f")).isEmpty();
            assertThat(mount.memory.requests(StoreOperation.PUT_OBJECT)).isZero();
            assertThat(Objects.requireNonNull(mount.memory.find("f")).content().etag())
                    .hasToString(before);
        }
    }

    @Test
    void createOfAnExistingNameIsRefusedOrOpensIt() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "old");
            assertErrno(Errno.EEXIST, () -> mount.kernel.create("f", WRONLY | FileFlags.O_EXCL));
            assertErrno(Errno.EPERM, () -> mount.kernel.create("f", WRONLY));
            assertErrno(Errno.EEXIST, () -> mount.kernel.mknod("f", 0100644));
            assertErrno(Errno.EINVAL, () -> mount.kernel.mknod("p", 0010644));
        }
    }

    @Test
    void mknodThenOpenWrites() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            long node = mount.kernel.mknod("f", 0100644).node();
            assertErrno(Errno.EPERM, () -> mount.kernel.open(node, FileFlags.O_RDONLY));
            FakeKernel.File file = mount.kernel.open(node, FileFlags.O_RDWR);
            mount.kernel.write(file, 0, content(3));
            mount.kernel.close(file);

            assertThat(mount.storedBytes("f")).isEqualTo(content(3));
        }
    }

    // ---- several closes of one open file

    @Test
    void closeWithoutNewBytesStoresNothingYet() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);

            mount.kernel.flush(file);
            assertThat(mount.memory.find("f")).isNull();

            mount.kernel.write(file, 0, content(10));
            mount.kernel.close(file);
            assertThat(mount.storedBytes("f")).isEqualTo(content(10));
            assertThat(mount.memory.requests(StoreOperation.PUT_OBJECT)).isEqualTo(1);
        }
    }

    @Test
    void emptyFilesAreStoredAtTheLastClose() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.close(file);

            assertThat(mount.storedBytes("f")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 500, 999, 1000, 1001, 3500})
    void aWriteAfterACloseGoesOn(int size) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            byte[] content = content(3 * size);
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            for (int i = 0; i < 3; i++) {
                mount.kernel.write(file, (long) i * size, Arrays.copyOfRange(content, i * size, (i + 1) * size));
                mount.kernel.flush(file);
                assertThat(mount.storedBytes("f")).isEqualTo(Arrays.copyOf(content, (i + 1) * size));
            }
            mount.kernel.flush(file);
            mount.kernel.release(file);

            assertThat(mount.storedBytes("f")).isEqualTo(content);
            assertThat(mount.kernel.readAll("f")).isEqualTo(content);
            Eventually.that(() -> mount.heldForData() == 0);
        }
    }

    @Test
    void whatWasStoredInPartsIsGoneOnWithByCopy() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(2500));
            mount.kernel.flush(file);
            mount.kernel.write(file, 2500, content(10));
            mount.kernel.close(file);

            assertThat(mount.memory.requests(StoreOperation.COPY_PART)).isEqualTo(1);
            assertThat(mount.memory.requests(StoreOperation.GET_OBJECT)).isZero();
            assertThat(mount.storedBytes("f"))
                    .hasSize(2510)
                    .startsWith(content(2500))
                    .endsWith(content(10));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 3000})
    void fsyncStoresAndWritingGoesOn(int size) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(size));
            mount.kernel.fsync(file);
            assertThat(mount.storedBytes("f")).isEqualTo(content(size));
            assertThat(mount.kernel.fstat(file).size()).isEqualTo(size);

            mount.kernel.write(file, size, content(1));
            mount.kernel.close(file);
            assertThat(mount.storedBytes("f")).hasSize(size + 1);
        }
    }

    @Test
    void aWriteOfNothingAfterACloseChangesNothing() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(1));
            mount.kernel.flush(file);
            mount.kernel.write(file, 1, content(0));
            mount.kernel.close(file);

            assertThat(mount.kernel.readAll("f")).isEqualTo(content(1));
            assertThat(mount.memory.requests(StoreOperation.PUT_OBJECT)).isEqualTo(1);
        }
    }

    @Test
    void closeTwiceStoresOnce() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(10));
            mount.kernel.flush(file);
            mount.kernel.flush(file);
            mount.kernel.fsync(file);
            mount.kernel.release(file);

            assertThat(mount.memory.requests(StoreOperation.PUT_OBJECT)).isEqualTo(1);
        }
    }

    @Test
    void aReaderMayOpenWhatWasClosedOnce() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.flush(file);
            // Nothing was written and it was closed: opening stores the empty file first.
            FakeKernel.File reader = mount.kernel.open("f", FileFlags.O_RDONLY);
            assertThat(mount.kernel.read(reader, 0, 10)).isEmpty();
            assertThat(mount.storedBytes("f")).isEmpty();

            mount.kernel.write(file, 0, content(10));
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", FileFlags.O_RDONLY));
            mount.kernel.close(file);
            assertThat(mount.kernel.readAll("f")).isEqualTo(content(10));
        }
    }

    @Test
    void aReaderMayOpenWhileTheLastDescriptorOfTheWriterGoes() throws Exception {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            // The moment between storing and letting go is short, so it is looked for many times.
            for (int round = 0; round < 500; round++) {
                String name = "f" + round;
                FakeKernel.File written = mount.kernel.create(name, WRONLY);
                mount.kernel.flush(written);
                Thread release = Thread.ofVirtual().start(() -> mount.kernel.release(written));

                FakeKernel.File read = mount.kernel.open(name, FileFlags.O_RDONLY);

                mount.kernel.close(read);
                release.join();
            }
        }
    }

    @Test
    void anEmptyFileThatWasClosedOnceCanBeWrittenByAnother() {
        try (Mounted mount = Mounted.with(overwriting())) {
            FakeKernel.File first = mount.kernel.create("f", WRONLY);
            mount.kernel.flush(first);

            FakeKernel.File second = mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC);
            mount.kernel.write(second, 0, content(10));
            // The first descriptor goes late, and must not put its nothing over what the second wrote.
            mount.kernel.release(first);
            mount.kernel.close(second);

            assertThat(mount.storedBytes("f")).isEqualTo(content(10));
            assertThat(mount.kernel.readAll("f")).isEqualTo(content(10));
        }
    }

    @Test
    void forgetBeforeReleaseLosesNothing() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(10));
            mount.kernel.forget(file.node(), 1);
            mount.kernel.close(file);

            assertThat(mount.storedBytes("f")).isEqualTo(content(10));
            assertThat(mount.fileSystem.inodes()).isEqualTo(1);
        }
    }

    // ---- overwriting

    @Test
    void filesAreReplacedWhereThatIsAllowed() {
        try (Mounted mount = Mounted.with(overwriting())) {
            mount.put("f", "old content");
            FakeKernel.File file = mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC);
            assertThat(mount.kernel.stat("f").size()).isZero();
            mount.kernel.write(file, 0, content(3));
            assertThat(mount.stored("f")).isEqualTo("old content");
            mount.kernel.close(file);

            assertThat(mount.storedBytes("f")).isEqualTo(content(3));
            assertThat(mount.kernel.readAll("f")).isEqualTo(content(3));
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", WRONLY));
        }
    }

    @Test
    void truncatingByOpenEmptiesTheFile() {
        try (Mounted mount = Mounted.with(overwriting())) {
            mount.put("f", "old content");
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDWR | FileFlags.O_TRUNC);
            mount.kernel.flush(file);

            assertThat(mount.kernel.readAll("f")).isEmpty();
            mount.kernel.release(file);
            assertThat(mount.storedBytes("f")).isEmpty();
        }
    }

    @Test
    void readersAndWritersExcludeEachOtherUntilTheyClose() {
        try (Mounted mount = Mounted.with(overwriting())) {
            mount.put("f", "old");
            FakeKernel.File reader = mount.kernel.open("f", FileFlags.O_RDONLY);
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC));
            mount.kernel.flush(reader);
            // A duplicate of it still reads, and counts again.
            assertThat(mount.kernel.read(reader, 0, 3)).isEqualTo(Mounted.bytes("old"));
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC));
            mount.kernel.flush(reader);

            FakeKernel.File writer = mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC);
            assertThat(mount.kernel.read(reader, 0, 3))
                    .as("a duplicate still has the version that it opened")
                    .isEqualTo(Mounted.bytes("old"));
            mount.kernel.release(reader);
            mount.kernel.write(writer, 0, content(2));
            mount.kernel.flush(writer);

            FakeKernel.File second = mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC);
            assertErrno(Errno.EBADF, () -> mount.kernel.write(writer, 2, content(2)));
            mount.kernel.release(writer);
            mount.kernel.write(second, 0, content(7));
            assertThat(mount.kernel.node("f"))
                    .as("the name leads to who writes, whatever was tried by another")
                    .isEqualTo(second.node());
            assertThat(mount.kernel.stat("f").size()).isEqualTo(7);
            mount.kernel.close(second);
            assertThat(mount.storedBytes("f")).isEqualTo(content(7));
        }
    }

    @Test
    void aFailedOverwriteLeavesTheOldFileUnderANewNumber() {
        try (Mounted mount = Mounted.with(overwriting())) {
            mount.put("f", "old");
            FakeKernel.File file = mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC);
            mount.kernel.write(file, 0, content(3));
            assertErrno(Errno.EINVAL, () -> mount.kernel.write(file, 99, content(3)));
            assertErrno(Errno.EINVAL, () -> mount.kernel.flush(file));
            mount.kernel.release(file);

            assertThat(mount.kernel.node("f")).isNotEqualTo(file.node());
            assertThat(mount.kernel.readAll("f")).isEqualTo(Mounted.bytes("old"));
        }
    }

    @Test
    void aFileIsNotEmptiedByAnOpenForReading() {
        try (Mounted mount = Mounted.with(overwriting())) {
            mount.put("f", "old");
            assertErrno(Errno.EINVAL, () -> mount.kernel.open("f", FileFlags.O_RDONLY | FileFlags.O_TRUNC));
            assertThat(mount.stored("f")).isEqualTo("old");
        }
    }

    // ---- truncate, attributes

    @Test
    void truncatingToNothingBeginsAgain() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(2500));
            mount.kernel.truncate(file.node(), 2500);
            assertErrno(Errno.EINVAL, () -> mount.kernel.truncate(file.node(), 5));
            assertErrno(Errno.EINVAL, () -> mount.kernel.truncate(file.node(), 5000));

            mount.kernel.truncate(file.node(), 0);
            assertThat(mount.kernel.fstat(file).size()).isZero();
            mount.kernel.write(file, 0, content(7));
            mount.kernel.close(file);
            mount.fileSystem.close();

            assertThat(mount.storedBytes("f")).isEqualTo(content(7));
            assertThat(mount.memory.hasUploadInProgress("f")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 2500})
    void truncatingToTheSizeItHasIsNoChangeAlsoOfAFileThatIsStored(int size) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(size));
            mount.kernel.fsync(file);

            mount.kernel.truncate(file.node(), size);

            mount.kernel.close(file);
            assertThat(mount.storedBytes("f")).isEqualTo(content(size));
        }
    }

    @Test
    void timesCanBeSetUntilTheFileIsStored() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            Instant time = Instant.parse("2001-02-03T04:05:06.000000007Z");
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            int both = AttributeChanges.ACCESSED | AttributeChanges.MODIFIED;

            assertThat(mount.kernel.setattr(file.node(), both, 0, time).modified())
                    .isEqualTo(time);
            assertThat(mount.kernel.stat("f").accessed()).isEqualTo(time);
            mount.kernel.setattr(file.node(), AttributeChanges.MODE | AttributeChanges.UID, 0, time);
            mount.kernel.close(file);

            assertErrno(Errno.EPERM, () -> mount.kernel.setattr(file.node(), both, 0, time));
            assertErrno(Errno.EPERM, () -> mount.kernel.setattr(file.node(), AttributeChanges.MODE, 0, time));
            assertErrno(Errno.EPERM, () -> mount.kernel.setattr(FileSystem.ROOT, AttributeChanges.MODE, 0, time));
        }
    }

    @Test
    void attributeChangesOfStoredFilesCanBeIgnored() {
        FileSystemConfig.Permissions lenient = new FileSystemConfig.Permissions(false, false, false, false, true);
        try (Mounted mount = Mounted.with(Mounted.config().withPermissions(lenient))) {
            mount.put("f", "");
            long node = mount.kernel.node("f");
            assertThat(mount.kernel
                            .setattr(node, AttributeChanges.MODE, 0, Instant.EPOCH)
                            .mode())
                    .isEqualTo(0100644);
        }
    }

    @Test
    void aReadOnlyMountChangesNothing() {
        FileSystemConfig.Permissions readOnly = new FileSystemConfig.Permissions(true, true, true, true, true);
        try (Mounted mount = Mounted.with(Mounted.config().withPermissions(readOnly))) {
            mount.put("f", "1");
            assertErrno(Errno.EROFS, () -> mount.kernel.create("g", WRONLY));
            assertErrno(Errno.EROFS, () -> mount.kernel.mkdir("g"));
            assertErrno(Errno.EROFS, () -> mount.kernel.unlink("f"));
            assertErrno(Errno.EROFS, () -> mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC));
            assertThat(mount.kernel.readAll("f")).containsExactly('1');
        }
    }

    @Test
    void contentTypesFollowTheNameWhereThatIsWanted() {
        FileSystemConfig config = overwriting();
        try (Mounted mount = Mounted.with(config.withUploads(config.uploads().withInferContentType(true)))) {
            mount.put("a.png", "without a type");
            mount.kernel.writeAll("a.png", content(3), 3);
            mount.kernel.writeAll("b.PNG", content(3000), 100);
            mount.kernel.writeAll("png", content(3), 3);

            assertThat(Objects.requireNonNull(mount.memory.find("a.png")).contentType())
                    .isEqualTo("image/png");
            assertThat(Objects.requireNonNull(mount.memory.find("b.PNG")).contentType())
                    .isEqualTo("image/png");
            assertThat(Objects.requireNonNull(mount.memory.find("png")).contentType())
                    .isNull();
        }
    }

    static FileSystemConfig overwriting() {
        return Mounted.config().withPermissions(FileSystemConfig.Permissions.DEFAULTS.withOverwrite());
    }

    static byte[] content(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31 + i / 251);
        }
        return bytes;
    }
}
