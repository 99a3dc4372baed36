package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.inode.HeapLimits;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.fuse.FileSystem;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

class ListingTest {
    @Test
    void keysBecomeATree() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            for (String key : List.of("a.txt", "d/x", "d/y/z", "empty/", "both", "both/", "e/f")) {
                mount.put(key, "");
            }

            assertThat(mount.kernel.ls("")).containsExactly("a.txt", "both/", "d/", "e/", "empty/");
            assertThat(mount.kernel.ls("d")).containsExactly("x", "y/");
            assertThat(mount.kernel.ls("empty")).isEmpty();
        }
    }

    @Test
    void keysThatNoPathLeadsToAreHidden() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            for (String key : List.of("a//b", "/x", "./x", "../x", "c/./d", "c/..", "n\0ul", "ok")) {
                mount.put(key, "");
            }

            assertThat(mount.kernel.ls("")).containsExactly("a/", "c/", "ok");
            assertThat(mount.kernel.ls("a")).isEmpty();
            assertThat(mount.kernel.ls("c")).isEmpty();
        }
    }

    @Test
    void aNameThatCannotBeLookedUpIsListedWithoutAnEntry() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            String longest = "n".repeat(255);
            String tooLong = "é".repeat(128);
            mount.put(longest, "");
            mount.put(tooLong + "/x", "");

            List<FakeKernel.Listed> names = mount.kernel.readdirplus(mount.kernel.opendir(""), 2, 10);

            assertThat(names).extracting(FakeKernel.Listed::name).containsExactly(longest, tooLong);
            assertThat(names.get(0).entry()).isNotNull();
            assertThat(names.get(1).entry()).isNull();
            assertThat(names.get(1).isDirectory()).isTrue();
            assertErrno(Errno.ENAMETOOLONG, () -> mount.kernel.lookup(FileSystem.ROOT, tooLong));
        }
    }

    @Test
    void theTwoDotsComeFirstWithTheirOwnNumbers() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("d/x", "");
            FakeKernel.File directory = mount.kernel.opendir("d");
            List<FakeKernel.Listed> names = mount.kernel.readdirplus(directory, 0, 10);

            assertThat(names).extracting(FakeKernel.Listed::name).containsExactly(".", "..", "x");
            assertThat(names).extracting(FakeKernel.Listed::nextOffset).containsExactly(1L, 2L, 3L);
            assertThat(names.get(0).number()).isEqualTo(directory.node());
            assertThat(names.get(1).number()).isEqualTo(FileSystem.ROOT);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 7, 1000})
    void pagesOfAnySizeGiveTheSameNames(int page) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.pagesOf(page);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                mount.put(String.format("f%02d", i), "");
                expected.add(String.format("f%02d", i));
            }

            assertThat(mount.kernel.list("", 3))
                    .extracting(FakeKernel.Listed::name)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1000})
    void aDirectoryHidesTheFileOfItsNameAlsoFromAnotherPage(int page) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.pagesOf(page);
            for (String key : List.of("a", "a-", "a-1", "a.b", "a/x", "b")) {
                mount.put(key, "");
            }

            assertThat(mount.kernel.ls("")).containsExactlyInAnyOrder("a/", "a-", "a-1", "a.b", "b");
        }
    }

    @Test
    void filesBeingWrittenAreListedAmongTheOthers() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.pagesOf(2);
            for (String name : List.of("b", "d", "f", "h")) {
                mount.put(name, "");
            }
            for (String name : List.of("a", "c", "e", "g", "i")) {
                mount.kernel.create(name, FileFlags.O_WRONLY);
            }
            mount.kernel.mkdir("dd");

            assertThat(mount.kernel.ls("")).containsExactly("a", "b", "c", "d", "dd/", "e", "f", "g", "h", "i");
        }
    }

    @Test
    void aStoredDirectoryHidesAFileThatIsBeingWritten() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("a", FileFlags.O_WRONLY);
            mount.put("a/x", "");

            assertThat(mount.kernel.ls("")).containsExactly("a/");
            assertThat(mount.kernel.lookup(FileSystem.ROOT, "a").attributes().isDirectory())
                    .isTrue();
            mount.kernel.write(file, 0, Mounted.bytes("hidden"));
            mount.kernel.close(file);
            assertThat(mount.stored("a")).isEqualTo("hidden");
        }
    }

    @Test
    void theLastAnswerCanBeAskedForAgain() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            for (int i = 0; i < 10; i++) {
                mount.put("f" + i, "");
            }
            FakeKernel.File directory = mount.kernel.opendir("");
            mount.kernel.readdirplus(directory, 0, 4);
            List<FakeKernel.Listed> second = mount.kernel.readdirplus(directory, 4, 4);

            assertThat(mount.kernel.readdirplus(directory, 5, 4))
                    .extracting(FakeKernel.Listed::name)
                    .isEqualTo(second.subList(1, 4).stream()
                            .map(FakeKernel.Listed::name)
                            .toList());
            assertThat(mount.kernel.readdirplus(directory, 4, 2))
                    .extracting(FakeKernel.Listed::number)
                    .isEqualTo(second.subList(0, 2).stream()
                            .map(FakeKernel.Listed::number)
                            .toList());
            assertThat(mount.kernel.readdirplus(directory, 8, 4)).hasSize(4);
        }
    }

    @Test
    void seekingGoesToWhereTheNameWas() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.pagesOf(4);
            List<String> names = new ArrayList<>(List.of(".", ".."));
            for (int i = 0; i < 10; i++) {
                mount.put("f" + i, "");
                names.add("f" + i);
            }
            FakeKernel.File directory = mount.kernel.opendir("");
            for (int offset : List.of(3, 11, 1, 7, 12, 2, 99, 4, 0)) {
                assertThat(mount.kernel.readdirplus(directory, offset, 1))
                        .as("at %d", offset)
                        .extracting(FakeKernel.Listed::name)
                        .isEqualTo(names.stream().skip(offset).limit(1).toList());
            }
        }
    }

    @Test
    void rewindingListsAnew() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("b", "");
            FakeKernel.File directory = mount.kernel.opendir("");
            assertThat(mount.kernel.readdir(directory, 0, 10)).hasSize(3);
            mount.put("a", "");
            mount.kernel.create("c", FileFlags.O_WRONLY);

            assertThat(mount.kernel.readdir(directory, 0, 10))
                    .extracting(FakeKernel.Listed::name)
                    .containsExactly(".", "..", "a", "b", "c");
        }
    }

    @Test
    void rewindingListsAnewInWhateverOrder() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.pagesOf(2).listsShuffled(7);
            for (int i = 0; i < 9; i++) {
                mount.put("f" + i, "");
            }
            FakeKernel.File directory = mount.kernel.opendir("");
            mount.kernel.readdirplus(directory, 0, 5);
            mount.put("new", "");
            mount.kernel.create("writing", FileFlags.O_WRONLY);

            List<String> names = new ArrayList<>();
            long offset = 0;
            for (List<FakeKernel.Listed> some = mount.kernel.readdirplus(directory, 0, 3); !some.isEmpty(); ) {
                some.forEach(each -> names.add(each.name()));
                offset = some.getLast().nextOffset();
                some = mount.kernel.readdirplus(directory, offset, 3);
            }

            assertThat(names)
                    .containsExactlyInAnyOrder(
                            ".", "..", "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "new", "writing");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void aFileThatIsStoredWhileADirectoryIsReadIsListedOnce(int room) {
        // At every place in the reading: before the first page was asked for, while the next is there already, and
        // after.
        for (int moment = 0; moment < 9; moment++) {
            try (Mounted mount = Mounted.with(Mounted.config())) {
                mount.memory.pagesOf(2);
                for (String name : List.of("a", "b", "c", "x", "y", "z")) {
                    mount.put(name, "");
                }
                FakeKernel.File written = mount.kernel.create("m", FileFlags.O_WRONLY);
                mount.kernel.write(written, 0, Mounted.bytes("1"));
                FakeKernel.File directory = mount.kernel.opendir("");

                List<String> names = new ArrayList<>();
                long offset = 0;
                List<FakeKernel.Listed> some;
                int answers = 0;
                do {
                    if (answers++ == moment) {
                        mount.kernel.close(written);
                    }
                    some = mount.kernel.readdirplus(directory, offset, room);
                    some.forEach(each -> names.add(each.name()));
                    offset = some.isEmpty() ? offset : some.getLast().nextOffset();
                } while (!some.isEmpty());

                assertThat(names)
                        .as("stored before answer %d", moment)
                        .containsExactly(".", "..", "a", "b", "c", "m", "x", "y", "z");
            }
        }
    }

    @Test
    void onlyListingsWithEntriesCountReferences() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("a", "");
            FakeKernel.File directory = mount.kernel.opendir("");

            mount.kernel.readdir(directory, 0, 10);
            assertThat(mount.fileSystem.inodes()).isEqualTo(1);

            long node = mount.kernel.readdirplus(directory, 0, 10).getLast().number();
            assertThat(mount.fileSystem.inodes()).isEqualTo(2);
            mount.kernel.forget(node, 1);
            assertThat(mount.fileSystem.inodes()).isEqualTo(1);
        }
    }

    @Test
    void namesThatHadNoRoomHoldNoReference() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("a", "");
            mount.put("b", "");
            FakeKernel.File directory = mount.kernel.opendir("");

            assertThat(mount.kernel.readdirplus(directory, 0, 3)).hasSize(3);

            assertThat(mount.fileSystem.inodes()).isEqualTo(2);
        }
    }

    @Test
    void tooManyInodesMakeListingsGoWithoutEntries() {
        try (Mounted mount = Mounted.with(Mounted.config().withLimits(awake(3)))) {
            for (int i = 0; i < 9; i++) {
                mount.put("f" + i, "");
            }

            List<FakeKernel.Listed> names = mount.kernel.list("", 4);

            assertThat(names).hasSize(9);
            assertThat(names).filteredOn(each -> each.entry() != null).hasSize(2);
        }
    }

    @Test
    void aFailedPageIsAskedForAgain() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.pagesOf(2);
            for (int i = 0; i < 4; i++) {
                mount.put("f" + i, "");
            }
            mount.faults.at(StoreOperation.LIST_OBJECTS, 2, new Fault.Fail(new StoreFailure.ServerError()));
            FakeKernel.File directory = mount.kernel.opendir("");
            List<FakeKernel.Listed> first = mount.kernel.readdirplus(directory, 0, 100);
            long offset = first.getLast().nextOffset();

            assertErrno(Errno.EIO, () -> mount.kernel.readdirplus(directory, offset, 100));
            assertThat(first.size()
                            + mount.kernel.readdirplus(directory, offset, 100).size())
                    .isEqualTo(6);
        }
    }

    @Test
    void theNextPageIsFetchedWhileOneIsRead() throws InterruptedException {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.memory.pagesOf(2);
            for (int i = 0; i < 6; i++) {
                mount.put("f" + i, "");
            }
            Fault.Hold second = Fault.Hold.once();
            mount.faults.at(StoreOperation.LIST_OBJECTS, 2, second);
            FakeKernel.File directory = mount.kernel.opendir("");

            assertThat(mount.kernel.readdirplus(directory, 0, 100)).isNotEmpty();
            // Nobody asked for more yet.
            second.reached().await();
            second.released().countDown();
        }
    }

    @Test
    void aWaitingListingCanBeInterruptedAndGoneOnWith() throws InterruptedException {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("f", "");
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.LIST_OBJECTS, 1, hold);
            FakeKernel.File directory = mount.kernel.opendir("");
            FakeKernel.RunningListing listing = mount.kernel.startReaddirplus(directory, 0, 10);
            hold.reached().await();

            listing.interrupt();

            assertErrno(Errno.EINTR, listing::names);
            hold.released().countDown();
            assertThat(mount.kernel.readdirplus(directory, 0, 10)).hasSize(3);
            assertThat(mount.memory.requests(StoreOperation.LIST_OBJECTS)).isEqualTo(1);
        }
    }

    @Test
    void listingsOutOfOrderAreCompleteAndWithoutRepetition() {
        for (long seed = 1; seed <= 20; seed++) {
            try (Mounted mount = Mounted.with(Mounted.config())) {
                mount.memory.pagesOf(3).listsShuffled(seed);
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < 30; i++) {
                    mount.put("f" + i, "");
                    expected.add("f" + i);
                }

                assertThat(mount.kernel.ls("")).as("seed " + seed).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Test
    void aDirectoryIsKnownUntilItIsForgottenAndClosed() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.put("d/x", "");
            FakeKernel.File directory = mount.kernel.opendir("d");
            mount.kernel.forget(directory.node(), 1);
            assertThat(mount.kernel.readdir(directory, 0, 10)).hasSize(3);
            assertThat(mount.fileSystem.inodes()).isEqualTo(2);

            mount.kernel.releasedir(directory);

            assertThat(mount.fileSystem.inodes()).isEqualTo(1);
        }
    }

    @Test
    void manyNamesTakeBoundedMemory() {
        try (Mounted mount = Mounted.with(Mounted.config().withLimits(awake(100)))) {
            int count = 1_000_000;
            List<String> names = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                names.add("f" + i);
            }
            Collections.shuffle(names, new java.util.Random(1));
            for (String name : names) {
                mount.put(name, "");
            }

            List<FakeKernel.Listed> listed = mount.kernel.list("", 100);

            assertThat(new HashSet<>(
                            listed.stream().map(FakeKernel.Listed::name).toList()))
                    .hasSize(count);
            assertThat(listed).hasSize(count);
            // One answer may pass the limit.
            assertThat(mount.fileSystem.inodes()).isLessThanOrEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%d", "%06d", "part-%05d.parquet", "%x", "%08X", "x%d/y"})
    void largeDirectoriesAreListedPageByPage(String pattern) {
        try (Mounted mount = Mounted.with(Mounted.config().withLimits(awake(0)))) {
            int count = 12_345;
            HashSet<String> expected = new HashSet<>();
            for (int i = 0; i < count; i++) {
                // Hexadecimal numbers are scattered as hashes are, the others follow each other.
                int number = pattern.contains("%x") ? i * 0x9E3779B9 : i;
                String name = String.format(pattern, number);
                mount.put(name, "");
                expected.add(name.endsWith("/y") ? name.substring(0, name.length() - 1) : name);
            }
            mount.kernel.create("0000-new", FileFlags.O_WRONLY);
            mount.kernel.create("zzz-new", FileFlags.O_WRONLY);
            expected.add("0000-new");
            expected.add("zzz-new");

            mount.memory.forgetRequests();
            List<String> names = mount.kernel.ls("");

            assertThat(names).hasSize(expected.size());
            assertThat(new HashSet<>(names)).isEqualTo(expected);
            assertThat(mount.memory.requests(StoreOperation.LIST_OBJECTS)).isEqualTo(13);
        }
    }

    @Test
    void randomTreesAreListedAsTheirKeysSay() {
        long seed = System.nanoTime();
        RandomGenerator random = new java.util.Random(seed);
        for (int round = 0; round < 50; round++) {
            try (Mounted mount = Mounted.with(Mounted.config())) {
                mount.memory.pagesOf(1 + random.nextInt(6));
                List<String> keys = new ArrayList<>();
                for (int i = 0; i < 25; i++) {
                    keys.add(randomKey(random));
                }
                keys.forEach(key -> mount.put(key, ""));

                assertThat(mount.kernel.ls("").stream().sorted().toList())
                        .as("seed %d, keys %s", seed, keys)
                        .isEqualTo(expectedRoot(keys));
            }
        }
    }

    private static String randomKey(RandomGenerator random) {
        String letters = random.nextInt(6) == 0 ? "a-/.\u0001" : "a-";
        StringBuilder key = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int level = 0; level < depth; level++) {
            key.append(level == 0 ? "" : "/");
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                key.append(letters.charAt(random.nextInt(letters.length())));
            }
        }
        return key.toString();
    }

    private static List<String> expectedRoot(List<String> keys) {
        HashSet<String> directories = new HashSet<>();
        HashSet<String> files = new HashSet<>();
        for (String key : keys) {
            int slash = key.indexOf('/');
            String name = slash < 0 ? key : key.substring(0, slash);
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                continue;
            }
            if (slash < 0) {
                files.add(name);
            } else {
                directories.add(name);
            }
        }
        List<String> names = new ArrayList<>();
        directories.forEach(name -> names.add(name + '/'));
        files.stream().filter(name -> !directories.contains(name)).forEach(names::add);
        Collections.sort(names);
        return names;
    }

    /** Nothing rests, and so many inodes are too many. */
    private static HeapLimits awake(int listed) {
        return new HeapLimits(Integer.MAX_VALUE, listed, 10, 8);
    }
}
