package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.fuse.OpenFlags;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;

/** The kernel has one size and one set of pages for each number, so no number is read and written at once. */
class OneVersionTest {
    private static final int WRONLY = FileFlags.O_WRONLY;
    private static final int REPLACE = WRONLY | FileFlags.O_TRUNC;

    private static FileSystemConfig config() {
        return Mounted.config()
                .withPermissions(FileSystemConfig.Permissions.DEFAULTS
                        .withDelete()
                        .withOverwrite()
                        .withAppend());
    }

    @Test
    void aFileThatMayStillBeReadIsReplacedUnderAnotherNumber() {
        try (Mounted mount = Mounted.with(config())) {
            mount.put("f", "old");
            FakeKernel.File reader = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.kernel.flush(reader);

            FakeKernel.File writer = mount.kernel.open("f", REPLACE);

            assertThat(writer.node()).isNotEqualTo(reader.node());
            assertThat(mount.kernel.fstat(reader).size()).isEqualTo(3);
            assertThat(mount.kernel.fstat(writer).size()).isZero();
            mount.kernel.write(writer, 0, content(10));
            mount.kernel.close(writer);
            assertThat(mount.kernel.node("f")).isEqualTo(writer.node());
            assertThat(mount.kernel.fstat(reader).size()).isEqualTo(3);
            mount.kernel.release(reader);
        }
    }

    @Test
    void afterAFailedReplacementTheReaderAndTheNameHaveTheOldVersion() {
        try (Mounted mount = Mounted.with(config())) {
            mount.put("f", "old");
            FakeKernel.File reader = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.kernel.flush(reader);
            FakeKernel.File writer = mount.kernel.open("f", REPLACE);
            mount.kernel.write(writer, 0, content(10));
            assertErrno(Errno.EINVAL, () -> mount.kernel.write(writer, 90, content(1)));
            mount.kernel.release(writer);

            assertThat(mount.kernel.read(reader, 0, 10)).isEqualTo(Mounted.bytes("old"));
            assertThat(mount.kernel.readAll("f")).isEqualTo(Mounted.bytes("old"));
            assertThat(mount.kernel.node("f")).isNotIn(reader.node(), writer.node());
        }
    }

    @Test
    void whoReadsAFileThatIsOpenForWritingHasAnotherNumber() {
        try (Mounted mount = Mounted.with(config())) {
            FakeKernel.File writer = mount.kernel.create("f", WRONLY);
            mount.kernel.write(writer, 0, content(10));
            mount.kernel.fsync(writer);

            FakeKernel.File reader = mount.kernel.open("f", FileFlags.O_RDONLY);

            assertThat(reader.node()).isNotEqualTo(writer.node());
            assertThat(mount.kernel.fstat(writer).links()).isEqualTo(1);
            byte[] all = content(30);
            mount.kernel.write(writer, 10, Arrays.copyOfRange(all, 10, 30));
            assertThat(mount.kernel.node("f")).isEqualTo(writer.node());
            assertThat(mount.kernel.fstat(reader).size()).isEqualTo(10);
            assertThat(mount.kernel.read(reader, 0, 100)).isEqualTo(content(10));
            assertErrno(Errno.EPERM, () -> mount.kernel.open("f", FileFlags.O_RDONLY));
            mount.kernel.close(writer);
            assertThat(mount.kernel.readAll("f")).isEqualTo(all);
            mount.kernel.close(reader);
        }
    }

    @Test
    void aDirectoryIsForgottenAlsoAfterAWriterTookItsNameBack() {
        try (Mounted mount = Mounted.with(config())) {
            mount.put("d/x", "");
            long directory = mount.kernel.lookup(1, "d").node();
            FakeKernel.File writer = mount.kernel.create(directory, "f", WRONLY);
            mount.kernel.write(writer, 0, content(10));
            mount.kernel.fsync(writer);
            assertErrno(Errno.ESTALE, () -> mount.kernel.open(writer.node(), FileFlags.O_RDONLY));
            long shown = mount.kernel.lookup(directory, "f").node();
            FakeKernel.File reader = mount.kernel.open(shown, FileFlags.O_RDONLY);

            mount.kernel.write(writer, 10, content(1));
            mount.kernel.close(writer);
            mount.kernel.close(reader);
            mount.kernel.forget(writer.node(), 1);
            mount.kernel.forget(shown, 1);
            mount.kernel.forget(directory, 1);

            assertThat(mount.fileSystem.inodes()).isEqualTo(1);
        }
    }

    @Test
    void whoComesByAnOldNumberIsSentToOneThatCanBeOpened() {
        try (Mounted mount = Mounted.with(config())) {
            FakeKernel.File writer = mount.kernel.create("f", WRONLY);
            for (int size = 10; size < 50; size += 10) {
                mount.kernel.write(writer, size - 10, Arrays.copyOfRange(content(size), size - 10, size));
                mount.kernel.fsync(writer);
                assertThat(mount.kernel.readAll("f")).isEqualTo(content(size));
                FakeKernel.Stat known = mount.kernel.attributes(mount.kernel.node("f"), false, 0);
                assertThat(known.validNanos())
                        .as("the writer may go on at any time")
                        .isZero();
            }
            long number = mount.kernel.node("f");
            byte[] all = content(60);
            mount.kernel.write(writer, 40, Arrays.copyOfRange(all, 40, 60));
            mount.kernel.fsync(writer);

            // The kernel may still have the number that readers had before, and asks once more, but only once.
            assertErrno(Errno.ESTALE, () -> mount.kernel.open(number, FileFlags.O_RDONLY));
            FakeKernel.File reader = mount.kernel.open(mount.kernel.node("f"), FileFlags.O_RDONLY);

            assertThat(mount.kernel.read(reader, 0, 100)).isEqualTo(all);
            mount.kernel.close(reader);
            mount.kernel.close(writer);
            assertThat(mount.kernel.attributes(reader.node(), false, 0).validNanos())
                    .isPositive();
        }
    }

    @Test
    void aWriterIsTakenOverFromAlsoWhenReadersHaveAnotherNumber() {
        try (Mounted mount = Mounted.with(config())) {
            FakeKernel.File first = mount.kernel.create("f", WRONLY);
            mount.kernel.write(first, 0, content(10));
            mount.kernel.flush(first);
            mount.kernel.close(mount.kernel.open("f", FileFlags.O_RDONLY));

            FakeKernel.File second = mount.kernel.open("f", REPLACE);
            assertErrno(Errno.EBADF, () -> mount.kernel.write(first, 10, content(1)));
            mount.kernel.release(first);
            mount.kernel.write(second, 0, content(20));
            mount.kernel.close(second);

            assertThat(mount.storedBytes("f")).isEqualTo(content(20));
        }
    }

    @Test
    void aWriterWhoseFileIsRemovedLosesItAlsoWhenReadersHaveAnotherNumber() {
        try (Mounted mount = Mounted.with(config())) {
            FakeKernel.File writer = mount.kernel.create("f", WRONLY);
            mount.kernel.write(writer, 0, content(10));
            mount.kernel.fsync(writer);
            mount.kernel.close(mount.kernel.open("f", FileFlags.O_RDONLY));

            mount.kernel.unlink("f");
            mount.kernel.write(writer, 10, content(10));
            mount.kernel.close(writer);

            assertThat(mount.memory.find("f")).isNull();
            assertThat(mount.kernel.ls("")).isEmpty();
        }
    }

    @Test
    void theKernelKeepsNoPagesOfWhatMightBeMappedAndChanged() {
        try (Mounted mount = Mounted.with(config())) {
            mount.put("f", "old");
            FakeKernel.File created = mount.kernel.create("new", FileFlags.O_RDWR);
            FakeKernel.File appended = mount.kernel.open("f", FileFlags.O_RDWR | FileFlags.O_APPEND);
            assertThat(created.openFlags()).isEqualTo(OpenFlags.DIRECT_IO);
            assertThat(appended.openFlags()).isEqualTo(OpenFlags.DIRECT_IO);
            mount.kernel.close(appended);

            FakeKernel.File both = mount.kernel.open("f", FileFlags.O_RDWR);
            assertThat(both.openFlags()).isEqualTo(OpenFlags.DIRECT_IO);
            assertThat(mount.kernel.read(both, 0, 10)).isEqualTo(Mounted.bytes("old"));
            FakeKernel.File reader = mount.kernel.open("f", FileFlags.O_RDONLY);
            assertThat(reader.openFlags() & OpenFlags.DIRECT_IO).isZero();
        }
    }
}
