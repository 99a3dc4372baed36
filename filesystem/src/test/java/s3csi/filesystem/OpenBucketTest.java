package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.filesystem.FileSystemConfig.Permissions;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.fuse.Capability;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.MemoryObjectStore;

final class OpenBucketTest {
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final FileSystemConfig config = FileSystemConfig.defaults(500, 20);

    @Test
    void oneCallMakesAFileSystemThatReadsAndStores() throws Exception {
        store.add("dir/file", Mounted.bytes("as stored"));
        try (OpenBucket bucket = OpenBucket.open(store, config.withPrefix("dir/"))) {
            FakeKernel kernel = new FakeKernel(bucket.fileSystem());
            assertThat(kernel.readAll("file")).isEqualTo(Mounted.bytes("as stored"));
            FakeKernel.File made = kernel.create("made", FileFlags.O_WRONLY);
            kernel.write(made, 0, Mounted.bytes("here"));
            assertThat(bucket.unstored()).containsExactly("dir/made");
            assertThat(bucket.inodes()).isEqualTo(3);
            assertThat(bucket.memoryInUse()).isPositive();
            assertThat(bucket.bytesOnDisk()).isZero();
        }
    }

    @Test
    void aCacheOnDiskOutlivesTheFileSystem(@TempDir Path directory) throws Exception {
        store.add("file", new byte[3000]);
        FileSystemConfig cached = config.withCache(CacheSettings.in(directory, "bucket"));
        try (OpenBucket bucket = OpenBucket.open(store, cached)) {
            new FakeKernel(bucket.fileSystem()).readAll("file");
            Eventually.that(() -> bucket.bytesOnDisk() > 3000);
        }
        long before = store.requests(StoreOperation.GET_OBJECT);
        try (OpenBucket bucket = OpenBucket.open(store, cached)) {
            Eventually.that(() -> bucket.bytesOnDisk() > 3000);
            assertThat(new FakeKernel(bucket.fileSystem()).readAll("file")).hasSize(3000);
        }
        assertThat(store.requests(StoreOperation.GET_OBJECT)).isEqualTo(before);
    }

    @Test
    void whatOverwritesNeedsTruncationToComeWithTheOpen() throws Exception {
        try (OpenBucket bucket = OpenBucket.open(store, config)) {
            assertThat(bucket.wishes().required()).isEmpty();
            assertThat(bucket.wishes().contains(Capability.READDIRPLUS_AUTO)).isFalse();
            assertThat(bucket.wishes().contains(Capability.HAS_RESEND)).isTrue();
        }
        try (OpenBucket bucket = OpenBucket.open(store, config.withPermissions(Permissions.DEFAULTS.withOverwrite()))) {
            assertThat(bucket.wishes().required()).containsExactly(Capability.ATOMIC_O_TRUNC);
        }
    }

    @Test
    void tooLittleMemoryIsRefused() {
        assertThatThrownBy(() -> OpenBucket.open(store, config.withMemory(FileSystemConfig.LEAST_MEMORY - 1)))
                .hasMessageContaining("give at least 52 MiB");
    }
}
