package s3csi.filesystem.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.ETag;

class BlockFileTest {
    private static final ObjectHash OBJECT = ObjectHash.of("bucket", "key", new ETag("version"));

    @TempDir
    private Path directory;

    private ByteBuffer[] data() {
        return new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(new byte[] {4, 5})};
    }

    @Test
    void whatCannotBePutInPlaceLeavesNothing() throws Exception {
        Path temporary = directory.resolve("new");
        Path target = directory.resolve("removed meanwhile/0");

        assertThatIOException().isThrownBy(() -> BlockFile.write(temporary, target, OBJECT, 0, data()));

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void onlyItsOwnerReadsABlock() throws Exception {
        Path target = directory.resolve("0");
        BlockFile.write(directory.resolve("new"), target, OBJECT, 0, data());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-------");
        assertThat(directory.resolve("new")).doesNotExist();
    }

    @Test
    void aBlockIsReadOnlyAsWhatItIs() throws Exception {
        Path target = directory.resolve("7");
        BlockFile.write(directory.resolve("new"), target, OBJECT, 7, data());
        ByteBuffer[] read = {ByteBuffer.allocate(5)};
        BlockFile.read(target, OBJECT, 7, read);
        assertThat(read[0].array()).containsExactly(1, 2, 3, 4, 5);

        ObjectHash newer = ObjectHash.of("bucket", "key", new ETag("newer"));
        assertCorrupt(target, newer, 7, 5);
        assertCorrupt(target, OBJECT, 8, 5);
        assertCorrupt(target, OBJECT, 7, 4);
        assertCorrupt(target, OBJECT, 7, 6);
    }

    private static void assertCorrupt(Path file, ObjectHash object, long number, int length) {
        assertThatIOException()
                .isThrownBy(() -> BlockFile.read(file, object, number, new ByteBuffer[] {ByteBuffer.allocate(length)}))
                .isInstanceOf(BlockFile.CorruptBlockException.class);
    }
}
