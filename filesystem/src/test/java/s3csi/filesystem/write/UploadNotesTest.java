package s3csi.filesystem.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.FaultyObjectStore;
import s3csi.s3.testing.MemoryObjectStore;

/** What a dead process noted is forgotten only when the store has it no more, however often it is tried. */
class UploadNotesTest {
    private final MemoryObjectStore memory = new MemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(memory);

    @TempDir
    private Path directory;

    private Path dead;
    private UploadNotes notes;

    @BeforeEach
    void open() throws IOException {
        dead = Files.createDirectory(directory.resolve("dead"));
        // A process that is no more holds no lock.
        Files.createFile(dead.resolve("lock"));
        notes = Objects.requireNonNull(UploadNotes.in(directory));
    }

    @AfterEach
    void close() {
        notes.close();
    }

    private Upload leave(String key) throws StoreException, IOException {
        Upload left = memory.createUpload(key, ObjectAttributes.DEFAULTS);
        Files.writeString(dead.resolve("upload-" + key), left.id() + '\n' + left.key());
        return left;
    }

    private List<String> noted() throws IOException {
        try (Stream<Path> all = Files.list(dead)) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    static Stream<StoreFailure> troubles() {
        return Stream.of(
                new StoreFailure.ServerError(),
                new StoreFailure.Throttled(),
                new StoreFailure.Unreachable(),
                new StoreFailure.Timeout(),
                new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED),
                new StoreFailure.NoCredentials(),
                new StoreFailure.NoSuchBucket("bucket"),
                new StoreFailure.Cancelled());
    }

    @ParameterizedTest
    @MethodSource("troubles")
    void whatCannotBeAbortedStaysNotedForTheProcessAfterThis(StoreFailure trouble) throws Exception {
        leave("a");
        store.always(StoreOperation.ABORT_UPLOAD, new Fault.Fail(trouble));

        notes.abortLeftovers(store);
        assertThat(noted()).containsExactly("lock", "upload-a");
        assertThat(memory.hasUploadInProgress("a")).isTrue();

        store.heal();
        notes.abortLeftovers(store);
        assertThat(memory.hasUploadInProgress("a")).isFalse();
        assertThat(dead).doesNotExist();
    }

    @Test
    void ofSeveralOnlyWhatWasAbortedIsForgotten() throws Exception {
        leave("a");
        leave("b");
        leave("c");
        store.at(StoreOperation.ABORT_UPLOAD, 2, new Fault.Fail(new StoreFailure.ServerError()));

        notes.abortLeftovers(store);

        assertThat(memory.requests(StoreOperation.ABORT_UPLOAD)).isEqualTo(2);
        assertThat(noted())
                .hasSize(2)
                .contains("lock")
                .allSatisfy(name -> assertThat(
                                name.equals("lock") || memory.hasUploadInProgress(name.substring("upload-".length())))
                        .isTrue());
    }

    @Test
    void whatTheStoreHasNoMoreIsForgotten() throws Exception {
        Upload left = leave("a");
        memory.abortUpload(left);
        store.always(StoreOperation.ABORT_UPLOAD, new Fault.Fail(new StoreFailure.NoSuchUpload("a")));

        notes.abortLeftovers(store);

        assertThat(dead).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "half an identifier"})
    void aNoteThatWasCutSaysNothingAndGoes(String text) throws Exception {
        Files.writeString(dead.resolve("upload-cut"), text);

        notes.abortLeftovers(store);

        assertThat(dead).doesNotExist();
        assertThat(memory.requests(StoreOperation.ABORT_UPLOAD)).isZero();
    }

    @Test
    void aKeyMayHaveSeveralLines() throws Exception {
        Upload left = memory.createUpload("two\nlines", ObjectAttributes.DEFAULTS);
        Files.writeString(dead.resolve("upload-lines"), left.id() + '\n' + left.key());

        notes.abortLeftovers(store);

        assertThat(memory.hasUploadInProgress("two\nlines")).isFalse();
        assertThat(dead).doesNotExist();
    }

    /** Its directory is there before its lock is. */
    @Test
    void aProcessThatIsJustBeginningIsLeftAlone() throws Exception {
        Path beginning = Files.createDirectory(directory.resolve("beginning"));

        notes.abortLeftovers(store);

        assertThat(beginning).isDirectory();
    }

    @Test
    void whatIsNotEndedStaysNotedWhenTheProcessEnds() throws Exception {
        Upload open = memory.createUpload("open", ObjectAttributes.DEFAULTS);
        Upload done = memory.createUpload("done", ObjectAttributes.DEFAULTS);
        notes.begun(open);
        notes.begun(done);
        notes.ended(done);
        notes.close();

        UploadNotes next = Objects.requireNonNull(UploadNotes.in(directory));
        next.abortLeftovers(store);
        next.close();

        assertThat(memory.hasUploadInProgress("open")).isFalse();
        assertThat(memory.hasUploadInProgress("done")).isTrue();
        assertThat(directory).isEmptyDirectory();
    }

    /** Whoever may write to the directory of a cache, as to /tmp, could have files of others taken for notes. */
    @ParameterizedTest
    @ValueSource(strings = {"uploads", "uploads/bucket"})
    void aLinkLeadsToNoNotes(String link, @TempDir Path other) throws Exception {
        Path target = link.equals("uploads") ? Files.createDirectory(other.resolve("bucket")) : other;
        Path theirs = Files.createDirectory(target.resolve("theirs"));
        Files.createFile(theirs.resolve("lock"));
        Files.writeString(theirs.resolve("precious"), "one line");
        Files.createDirectories(directory.resolve(link).getParent());
        Files.createSymbolicLink(directory.resolve(link), other);

        UploadNotes found = UploadNotes.in(directory.resolve("uploads/bucket"));
        if (found != null) {
            found.abortLeftovers(store);
            found.close();
        }

        assertThat(theirs.resolve("precious")).exists();
        assertThat(found).isNull();
    }
}
