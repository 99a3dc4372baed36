package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.BrokenListings;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.fuse.FileSystem;
import s3csi.linux.Errno;
import s3csi.s3.ETag;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectInfo;
import s3csi.s3.RestoreStatus;

/** Stores that list wrongly: the listing has all names, each once, or it fails. */
class BrokenListingTest {
    @Test
    void aTokenThatRepeatsItselfIsAnError() {
        assertErrno(Errno.EIO, () -> list(token -> page(List.of("a", "b"), "again")));
    }

    @Test
    void endlessTokensWithTheSameNamesAreAnError() {
        assertErrno(Errno.EIO, () -> list(token -> page(List.of("a", "b"), next(token))));
    }

    @Test
    void endlessEmptyPagesAreAnError() {
        assertErrno(Errno.EIO, () -> list(token -> page(List.of(), next(token))));
    }

    @Test
    void whatWasListedBeforeTheErrorIsGiven() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel kernel = BrokenListings.mount(mount, "", token -> page(List.of("a", "b"), "again"));
            FakeKernel.File directory = kernel.opendir("");

            assertThat(kernel.readdirplus(directory, 2, 10))
                    .extracting(FakeKernel.Listed::name)
                    .containsExactly("a");
            assertThat(kernel.readdirplus(directory, 3, 10))
                    .extracting(FakeKernel.Listed::name)
                    .containsExactly("b");
            assertErrno(Errno.EIO, () -> kernel.readdirplus(directory, 4, 10));
            assertErrno(Errno.EIO, () -> kernel.readdirplus(directory, 4, 10));
        }
    }

    @Test
    void hundredsOfEmptyPagesHideNoName() {
        assertThat(list(token -> {
                    int number = token == null ? 0 : Integer.parseInt(token);
                    return number % 300 == 0
                            ? page(List.of("f" + number), number == 900 ? null : next(token))
                            : page(List.of(), next(token));
                }))
                .containsExactly("f0", "f300", "f600", "f900");
    }

    @Test
    void aDirectoryBehindHundredsOfEmptyPagesIsFound() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel kernel = BrokenListings.mount(
                    mount,
                    "d/",
                    token -> "300".equals(token) ? page(List.of("d/x"), null) : page(List.of(), next(token)));

            assertThat(kernel.lookup(FileSystem.ROOT, "d").attributes().isDirectory())
                    .isTrue();
        }
    }

    @Test
    void aLookupThatLeadsInCirclesIsAnErrorAndNoAbsence() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel kernel = BrokenListings.mount(mount, "d/", token -> page(List.of(), "again"));
            FakeKernel endless = BrokenListings.mount(mount, "d/", token -> page(List.of(), next(token)));

            assertErrno(Errno.EIO, () -> kernel.lookup(FileSystem.ROOT, "d"));
            assertErrno(Errno.EIO, () -> endless.lookup(FileSystem.ROOT, "d"));
        }
    }

    @Test
    void repeatedNamesComeOnce() {
        assertThat(list(token -> page(List.of("b", "a", "b", "a"), null))).containsExactly("a", "b");
    }

    @Test
    void aStoreThatDoesNotKnowWhereToBeginIsReadPageAfterPage() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 7000; i++) {
            keys.add(String.format("f%05d", i));
        }
        // It ignores the key to begin after, and gives its first page instead.
        assertThat(list(token -> {
                    int from = token == null ? 0 : Integer.parseInt(token);
                    int to = Math.min(from + 1000, keys.size());
                    return page(keys.subList(from, to), to == keys.size() ? null : Integer.toString(to));
                }))
                .containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void namesFromElsewhereAreHidden() {
        try (Mounted mount = Mounted.with(Mounted.config().withPrefix("p/"))) {
            FakeKernel kernel = BrokenListings.mount(mount, "p/", token -> page(List.of("q/a", "p/b"), null));
            assertThat(kernel.ls("")).containsExactly("b");
        }
    }

    @Test
    void foldingThatDidNotHappenIsDoneHere() {
        assertThat(list(token -> page(List.of("d/x", "d/y", "e"), null))).containsExactly("d/", "e");
    }

    @Test
    void filesWithoutSizeOrVersionAreListedByName() {
        ObjectInfo bare =
                new ObjectInfo("f", ObjectInfo.UNKNOWN_SIZE, null, Instant.EPOCH, null, RestoreStatus.NOT_REQUESTED);
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "12345");
            FakeKernel kernel =
                    BrokenListings.mount(mount, "", token -> new ListingPage(List.of(bare), List.of(), null));

            List<FakeKernel.Listed> names = kernel.list("", 10);

            assertThat(names).hasSize(1);
            assertThat(names.getFirst().entry()).isNull();
            assertThat(kernel.stat("f").size()).isEqualTo(5);
        }
    }

    private static List<String> list(Function<@Nullable String, ListingPage> pages) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            return BrokenListings.mount(mount, "", pages).ls("");
        }
    }

    private static String next(@Nullable String token) {
        return Integer.toString(token == null ? 1 : Integer.parseInt(token) + 1);
    }

    private static ListingPage page(List<String> keys, @Nullable String continuation) {
        List<ObjectInfo> objects = new ArrayList<>();
        for (String key : keys) {
            objects.add(ObjectInfo.of(key, 1, new ETag("e" + key.hashCode()), Instant.EPOCH));
        }
        return new ListingPage(objects, List.of(), continuation);
    }
}
