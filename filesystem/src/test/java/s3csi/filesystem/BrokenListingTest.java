package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.BrokenListings;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.s3.ETag;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectInfo;
import s3csi.s3.RestoreStatus;

/** Stores that list wrongly: the listing ends, and no name comes twice. */
class BrokenListingTest {
    @Test
    void aTokenThatRepeatsItselfEndsTheListing() {
        assertThat(list(token -> page(List.of("a", "b"), "again"))).containsExactly("a", "b");
    }

    @Test
    void endlessTokensWithTheSameNamesEndTheListing() {
        assertThat(list(token -> page(List.of("a", "b"), next(token)))).containsExactly("a", "b");
    }

    @Test
    void endlessEmptyPagesEndTheListing() {
        assertThat(list(token -> page(List.of(), next(token)))).isEmpty();
    }

    @Test
    void someEmptyPagesDoNot() {
        assertThat(list(token -> {
                    int number = token == null ? 0 : Integer.parseInt(token);
                    return number < 50 ? page(List.of(), next(token)) : page(List.of("a"), null);
                }))
                .containsExactly("a");
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
