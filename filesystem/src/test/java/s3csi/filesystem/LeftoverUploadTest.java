package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.FileFlags;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.MemoryObjectStore;

/** Unfinished uploads of a process that was killed are aborted by the next one, and those of nobody else. */
class LeftoverUploadTest {
    private final MemoryObjectStore store = new MemoryObjectStore();

    @TempDir
    private Path scratch;

    private Path notes;

    @BeforeEach
    void choose() {
        notes = scratch.resolve("notes");
    }

    private Mounted mount() {
        FileSystemConfig config = Mounted.config();
        return Mounted.with(config.withUploads(config.uploads().withNotes(notes)), store);
    }

    private List<Path> found() throws IOException {
        try (Stream<Path> all = Files.walk(notes)) {
            return all.filter(each -> !each.equals(notes)).toList();
        }
    }

    @Test
    void whatEndsIsNotNoted() throws IOException {
        try (Mounted mount = mount()) {
            mount.kernel.writeAll("small", content(10), 10);
            mount.kernel.writeAll("large", content(3500), 1000);
            FakeKernel.File open = mount.kernel.create("open", FileFlags.O_WRONLY);
            mount.kernel.write(open, 0, content(2500));
            Eventually.that(() -> mount.memory.hasUploadInProgress("open"));
            Eventually.that(() -> notesOfUploads() == 1);
        }
        assertThat(store.hasUploadInProgress("open")).isFalse();
        assertThat(found()).isEmpty();
    }

    private long notesOfUploads() {
        try {
            return found().stream()
                    .filter(each -> each.getFileName().toString().startsWith("upload-"))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatAKilledProcessLeftIsAborted() throws Exception {
        // A process that is no more holds no lock.
        Upload left = store.createUpload("dir/a key\nof two lines", ObjectAttributes.DEFAULTS);
        Path process = Files.createDirectories(notes.resolve("dead"));
        Files.createFile(process.resolve("lock"));
        Files.writeString(process.resolve("upload-1"), left.id() + '\n' + left.key());
        Files.writeString(process.resolve("upload-2"), "gone\nelsewhere");
        Files.writeString(process.resolve("upload-3"), "");
        Upload foreign = store.createUpload("foreign", ObjectAttributes.DEFAULTS);

        try (Mounted _ = mount()) {
            Eventually.that(() -> !store.hasUploadInProgress(left.key()));
            Eventually.that(() -> !Files.exists(process));
            assertThat(store.hasUploadInProgress(foreign.key())).isTrue();
        }
        assertThat(found()).isEmpty();
    }

    @Test
    void whatALivingProcessWritesIsLeftAlone() throws Exception {
        try (Mounted living = mount()) {
            FakeKernel.File open = living.kernel.create("open", FileFlags.O_WRONLY);
            living.kernel.write(open, 0, content(2500));
            Eventually.that(() -> notesOfUploads() == 1);

            try (Mounted other = mount()) {
                other.kernel.writeAll("large", content(3500), 1000);
            }

            assertThat(store.requests(StoreOperation.ABORT_UPLOAD)).isZero();
            living.kernel.write(open, 2500, content(10));
            living.kernel.close(open);
            assertThat(living.storedBytes("open")).hasSize(2510);
        }
        assertThat(found()).isEmpty();
    }

    @Test
    void whatCannotBeAbortedStaysNoted() throws Exception {
        try (Mounted mount = mount()) {
            mount.faults.always(StoreOperation.ABORT_UPLOAD, new Fault.Fail(new StoreFailure.ServerError()));
            FakeKernel.File open = mount.kernel.create("open", FileFlags.O_WRONLY);
            mount.kernel.write(open, 0, content(2500));
            Eventually.that(() -> notesOfUploads() == 1);
        }
        assertThat(notesOfUploads()).isEqualTo(1);
        assertThat(store.hasUploadInProgress("open")).isTrue();

        try (Mounted _ = mount()) {
            Eventually.that(() -> !store.hasUploadInProgress("open"));
        }
        assertThat(found()).isEmpty();
    }

    @Test
    void anUploadIsNotedUntilTheStoreHasAnswered() throws Exception {
        try (Mounted mount = mount()) {
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.COMPLETE_UPLOAD, 1, hold);
            FakeKernel.File open = mount.kernel.create("open", FileFlags.O_WRONLY);
            mount.kernel.write(open, 0, content(2500));
            FakeKernel.Pending closing = mount.kernel.startFlush(open);
            hold.reached().await();
            assertThat(notesOfUploads())
                    .as("notes while the completion is under way")
                    .isEqualTo(1);

            hold.released().countDown();
            Eventually.that(closing::isAnswered);
            mount.kernel.release(open);
            assertThat(notesOfUploads()).isZero();
        }
    }

    @Test
    void aDirectoryThatCannotBeUsedIsNoErrorOfAFile() throws Exception {
        Files.writeString(notes, "a file");
        try (Mounted mount = mount()) {
            mount.kernel.writeAll("large", content(3500), 1000);
            assertThat(mount.storedBytes("large")).isEqualTo(content(3500));
        }
    }
}
