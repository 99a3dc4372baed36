package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.inode.Time;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.read.ReadSettings;
import s3csi.filesystem.read.Readers;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.FileFlags;
import s3csi.s3.testing.MemoryObjectStore;

/** Numbers that the kernel keeps. */
final class FirstNumbersTest {
    private final MemoryObjectStore store = new MemoryObjectStore();

    /** What the kernel got to know: a file, a directory, and open ones of every kind. */
    private record Given(long file, long directory, long read, long written, long listed) {}

    private Given use(FirstNumbers first) throws Exception {
        try (BufferPool pool = new BufferPool(BufferPool.MINIMUM_BUDGET);
                Readers readers = new Readers(store, pool, ReadSettings.DEFAULT);
                S3FileSystem fileSystem =
                        new S3FileSystem(store, pool, readers, Mounted.config(), Time.system(), first)) {
            FakeKernel kernel = new FakeKernel(fileSystem);
            long file = kernel.node("dir/file");
            FakeKernel.File read = kernel.open(file, FileFlags.O_RDONLY);
            FakeKernel.File written = kernel.create("made", FileFlags.O_WRONLY);
            long directory = kernel.node("dir");
            return new Given(
                    file,
                    directory,
                    read.handle(),
                    written.handle(),
                    kernel.opendir(directory).handle());
        }
    }

    @Test
    void numbersBeginWhereTheFileSystemIsTold() throws Exception {
        store.add("dir/file", Mounted.bytes("x"));
        Given own = use(FirstNumbers.NEW);
        assertThat(own.directory()).isEqualTo(2);
        assertThat(own.file()).isEqualTo(3);

        Given later = use(new FirstNumbers(1000, 500));
        assertThat(later.directory()).isEqualTo(1000);
        assertThat(later.file()).isEqualTo(1001);
        assertThat(List.of(later.read(), later.written(), later.listed()))
                .doesNotContain(own.read(), own.written(), own.listed())
                .allMatch(handle -> handle >>> 34 >= 500);
    }

    @Test
    void handlesOfEveryKindHaveOneSequence() throws Exception {
        store.add("dir/file", Mounted.bytes("x"));
        Given given = use(FirstNumbers.NEW);
        assertThat(new long[] {given.read() >>> 34, given.written() >>> 34, given.listed() >>> 34})
                .containsExactly(1, 2, 3);
    }
}
