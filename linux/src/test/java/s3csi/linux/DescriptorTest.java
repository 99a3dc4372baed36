package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorTest {
    @TempDir
    Path directory;

    private Descriptor create() throws LinuxException {
        return PlainFiles.open(directory.resolve("file"), FileFlags.O_RDWR | FileFlags.O_CREAT | FileFlags.O_CLOEXEC);
    }

    @Test
    void aDuplicateLivesOnWhenTheFirstIsClosed() throws Exception {
        Descriptor first = create();
        try (Descriptor second = first.duplicate()) {
            first.close();
            assertThat(second.isCloseOnExec()).isTrue();
            PlainFiles.write(second, "written".getBytes(StandardCharsets.UTF_8));
            assertThat(directory.resolve("file")).hasContent("written");
            assertThat(FileStatus.of(second).size()).isEqualTo(7);
        }
    }

    @Test
    void useAfterCloseIsAnErrorAndTouchesNoOtherFile() throws Exception {
        Descriptor first = create();
        first.close();
        first.close();
        // Most likely takes the number that is free now.
        try (Descriptor second = create()) {
            assertThatThrownBy(first::statusFlags)
                    .isInstanceOfSatisfying(
                            LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
            assertThat(first.isOpen()).isFalse();
            assertThat(second.isOpen()).isTrue();
        }
    }

    @Test
    void theNumberIsGivenBackOnlyAfterTheLastUse() throws Exception {
        Descriptor descriptor = create();
        assertThat(descriptor.beginUse()).isTrue();
        descriptor.close();
        assertThat(descriptor.beginUse()).isFalse();
        Path link = Path.of("/proc/self/fd/" + descriptor.number());
        assertThat(Files.readSymbolicLink(link))
                .isEqualTo(directory.resolve("file").toRealPath());
        descriptor.endUse();
        assertThat(Files.isSymbolicLink(link) && Files.readSymbolicLink(link).endsWith("file"))
                .isFalse();
    }

    @Test
    void flagsCanBeChanged() throws Exception {
        try (Descriptor descriptor = create()) {
            descriptor.setCloseOnExec(false);
            assertThat(descriptor.isCloseOnExec()).isFalse();
            descriptor.setNonBlocking(true);
            assertThat(descriptor.statusFlags() & FileFlags.O_NONBLOCK).isNotZero();
            descriptor.setNonBlocking(false);
            assertThat(descriptor.statusFlags() & FileFlags.O_NONBLOCK).isZero();
        }
    }

    @Test
    void onlyTheFuseDeviceIsAFuseDevice() throws Exception {
        try (Descriptor file = create()) {
            assertThatThrownBy(() -> FuseDevice.adopt(file))
                    .isInstanceOf(NotAFuseDeviceException.class)
                    .hasMessageContaining("a regular file");
            assertThat(file.isOpen()).isTrue();
        }
        try (Descriptor nothing = PlainFiles.open(Path.of("/dev/null"), FileFlags.O_RDWR)) {
            assertThatThrownBy(() -> FuseDevice.adopt(nothing)).hasMessageContaining("the character device 1:3");
        }
        Descriptor closed = Descriptor.owning(12345);
        assertThatThrownBy(() -> FuseDevice.adopt(closed)).hasMessageContaining("not an open file descriptor");
    }

    @Test
    void pagesAreZeroAndComeBackZero() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment pages = PageMemory.map(3L * PageMemory.pageSize(), arena);
            assertThat(pages.address() % PageMemory.pageSize()).isZero();
            assertThat(pages.get(ValueLayout.JAVA_LONG, 8)).isZero();
            pages.fill((byte) 1);
            PageMemory.release(pages);
            assertThat(pages.get(ValueLayout.JAVA_LONG, 8)).isZero();
        }
    }

    @Test
    void aVectorTakesOnlyOffHeapMemoryWithinBounds() {
        IoVector vector = new IoVector(2);
        MemorySegment memory = Arena.ofAuto().allocate(10);
        vector.add(memory, 2, 8);
        assertThat(vector.bytes()).isEqualTo(8);
        assertThatThrownBy(() -> vector.add(memory, 3, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> vector.add(memory, 1, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> vector.add(MemorySegment.ofArray(new byte[4]), 0, 4))
                .isInstanceOf(IllegalArgumentException.class);
        vector.add(memory, 0, 1);
        assertThat(vector.isFull()).isTrue();
        assertThatThrownBy(() -> vector.add(memory, 0, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void statusTellsWhatAFileIs() throws Exception {
        assertThat(FileStatus.of(directory).isDirectory()).isTrue();
        assertThat(FileStatus.cached(Path.of("/dev/null")).kind()).isEqualTo("the character device 1:3");
        assertThat(FileStatus.of(Path.of("/proc")).device())
                .isEqualTo(MountTable.current()
                        .topAt(Path.of("/proc"))
                        .orElseThrow()
                        .device());
        assertThatThrownBy(() -> FileStatus.of(directory.resolve("absent"))).hasMessageContaining("ENOENT");
        assertThat(FileSystemStatus.of(directory).blockSize()).isPositive();
        assertThat(FileSystemStatus.of(directory).type()).isNotEqualTo(FileSystemStatus.FUSE);
    }
}
