package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.Condition;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;

/** Files that exist are written on at their end. */
class AppendTest {
    private static final int WRONLY = FileFlags.O_WRONLY;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000, 4321})
    void filesAreWrittenOnWhereThatIsAllowed(int size) {
        try (Mounted mount = Mounted.with(appending())) {
            mount.memory.add("f", content(size));
            FakeKernel.File file = mount.kernel.open("f", WRONLY | FileFlags.O_APPEND);
            mount.kernel.write(file, size, Mounted.bytes("more"));
            assertThat(mount.kernel.fstat(file).size()).isEqualTo(size + 4);
            mount.kernel.close(file);

            assertThat(mount.storedBytes("f")).hasSize(size + 4).endsWith(Mounted.bytes("more"));
            assertThat(Arrays.copyOf(mount.storedBytes("f"), size)).isEqualTo(content(size));
            FakeKernel.File unused = mount.kernel.open("f", WRONLY);
            assertErrno(Errno.EPERM, () -> mount.kernel.truncate(unused.node(), 0));
            mount.memory.forgetRequests();
            mount.kernel.close(unused);
            assertThat(mount.memory.requests()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 5", "3, 5", "3, 2000", "999, 1", "2500, 5", "2500, 2500"})
    void appendingGoesOnAfterEachSync(int before, int step) {
        try (Mounted mount = Mounted.with(appending())) {
            mount.memory.minimumPart(Mounted.PART);
            byte[] whole = content(before + 3 * step);
            mount.memory.add("f", Arrays.copyOf(whole, before));
            FakeKernel.File file = mount.kernel.open("f", WRONLY | FileFlags.O_APPEND);
            for (int size = before; size < whole.length; size += step) {
                mount.kernel.write(file, size, Arrays.copyOfRange(whole, size, size + step));
                mount.kernel.fsync(file);
                assertThat(mount.storedBytes("f")).isEqualTo(Arrays.copyOf(whole, size + step));
                assertThat(mount.kernel.fstat(file).size()).isEqualTo(size + step);
            }
            mount.kernel.close(file);

            assertThat(mount.kernel.readAll("f")).isEqualTo(whole);
            mount.fileSystem.close();
            assertThat(mount.memory.hasUploadInProgress("f")).isFalse();
            Eventually.that(() -> mount.heldForData() == 0);
        }
    }

    @Test
    void whoeverOpenedAFileToWriteOnIsNotPushedAsideBeforeTheFirstByte() {
        try (Mounted mount = Mounted.with(appending())) {
            mount.put("log", "one");
            FakeKernel.File first = mount.kernel.open("log", WRONLY | FileFlags.O_APPEND);
            assertErrno(Errno.EPERM, () -> mount.kernel.open("log", WRONLY | FileFlags.O_APPEND));
            mount.kernel.close(mount.kernel.open("log", FileFlags.O_RDONLY));

            mount.kernel.write(first, 3, Mounted.bytes(" two"));
            mount.kernel.close(first);
            FakeKernel.File second = mount.kernel.open("log", WRONLY | FileFlags.O_APPEND);
            mount.kernel.flush(second);
            // What was closed without a byte makes room, as ever.
            mount.kernel.close(mount.kernel.open("log", WRONLY | FileFlags.O_APPEND));
            mount.kernel.release(second);
            assertThat(mount.stored("log")).isEqualTo("one two");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 2500})
    void whatIsWrittenOnIsANewObjectWithTheTypeOfOne(int size) throws StoreException {
        FileSystemConfig config = appending();
        try (Mounted mount = Mounted.with(config.withUploads(config.uploads().withInferContentType(true)))) {
            for (String name : List.of("a.png", "plain")) {
                ObjectAttributes other = new ObjectAttributes("text/other");
                mount.memory.put(
                        name,
                        Payload.of(Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, content(size))),
                        other,
                        Condition.NONE);
                FakeKernel.File file = mount.kernel.open(name, WRONLY | FileFlags.O_APPEND);
                mount.kernel.write(file, size, Mounted.bytes("more"));
                mount.kernel.close(file);
            }

            assertThat(Objects.requireNonNull(mount.memory.find("a.png")).contentType())
                    .isEqualTo("image/png");
            assertThat(Objects.requireNonNull(mount.memory.find("plain")).contentType())
                    .isNull();
        }
    }

    @Test
    void appendingToAnObjectThatSomebodyReplacedFails() {
        try (Mounted mount = Mounted.with(appending())) {
            mount.put("f", "one");
            FakeKernel.File file = mount.kernel.open("f", WRONLY | FileFlags.O_APPEND);
            mount.put("f", "two");

            assertErrno(Errno.EIO, () -> mount.kernel.write(file, 3, Mounted.bytes("more")));
            mount.kernel.release(file);
            assertThat(mount.stored("f")).isEqualTo("two");
        }
    }

    private static FileSystemConfig appending() {
        return Mounted.config().withPermissions(FileSystemConfig.Permissions.DEFAULTS.withAppend());
    }
}
