package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.ErrnoException;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

/** Random operations, by this mount and by others on the same bucket, against a simple model; the seed is in every message. */
class FileSystemModelTest {
    private static final int ROUNDS = 60;
    private static final int STEPS = 40;

    @Test
    void randomOperationsDoWhatTheModelSays() throws StoreException {
        long seed = System.nanoTime();
        for (int round = 0; round < ROUNDS; round++) {
            Run run = new Run(seed + round);
            try {
                run.play();
            } catch (ErrnoException e) {
                throw new AssertionError("refused unexpectedly, " + run.story(), e);
            }
        }
    }

    /** One file system, its model, and what was done so far. */
    private static final class Run {
        private final long seed;
        private final Random random;
        private final List<String> done = new ArrayList<>();
        private final ReferenceModel model = new ReferenceModel();
        private final Map<String, Writing> open = new HashMap<>();

        private static final class Writing {
            final FakeKernel.File file;
            final byte[] content;
            final boolean replaces;
            int written;

            Writing(FakeKernel.File file, byte[] content, boolean replaces) {
                this.file = file;
                this.content = content;
                this.replaces = replaces;
            }
        }

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void play() throws StoreException {
            try (Mounted mount = Mounted.with(Mounted.config()
                    .withPermissions(FileSystemConfig.Permissions.DEFAULTS
                            .withDelete()
                            .withOverwrite()
                            .withAppend()))) {
                mount.memory.pagesOf(5);
                for (int i = 0; i < STEPS; i++) {
                    stepUnderALister(mount);
                    // What others did is seen once nothing old is believed any more.
                    mount.clock.advance(Duration.ofSeconds(2));
                    compare(mount);
                }
                for (String path : List.copyOf(open.keySet())) {
                    finish(mount, path);
                }
                compare(mount);
                assertThat(mount.memory.all().stream().map(each -> each.key()).toList())
                        .as(story())
                        .containsExactlyInAnyOrderElementsOf(model.remote.keySet());
            }
        }

        /** Whoever opened a directory before sees in it afterwards what was there or is there. */
        private void stepUnderALister(Mounted mount) throws StoreException {
            String opened = anyOpen();
            String path = opened == null || random.nextBoolean() ? "" : parent(opened);
            Set<String> possible = model.paths();
            FakeKernel.File directory = mount.kernel.opendir(path);
            step(mount);
            possible.addAll(model.paths());
            String prefix = path.isEmpty() ? "" : path + '/';
            boolean isPlain = random.nextBoolean();
            List<FakeKernel.Listed> listed =
                    isPlain ? mount.kernel.readdir(directory, 0, 1000) : mount.kernel.readdirplus(directory, 0, 1000);
            for (FakeKernel.Listed each : listed) {
                if (!each.name().startsWith(".")) {
                    String shown = prefix + each.name();
                    assertThat(possible.contains(shown) || possible.contains(shown + '/'))
                            .as("%s in %s after %s", shown, path, story())
                            .isTrue();
                }
            }
            mount.kernel.releasedir(directory);
        }

        private void step(Mounted mount) throws StoreException {
            String path = path();
            switch (random.nextInt(10)) {
                case 0 -> putElsewhere(mount, path);
                case 1 -> deleteElsewhere(mount);
                case 2 -> mkdir(mount, path);
                case 3 -> rmdir(mount, path);
                case 4 -> unlink(mount, path);
                case 5 -> begin(mount, path);
                case 6 -> writeSome(mount);
                case 7 -> append(mount, path);
                case 8 -> rename(mount, path);
                default -> finishSome(mount);
            }
        }

        private String path() {
            StringBuilder path = new StringBuilder();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                path.append(path.isEmpty() ? "" : "/");
                for (int j = 1 + random.nextInt(2); j > 0; j--) {
                    path.append("ab-".charAt(random.nextInt(3)));
                }
            }
            return path.toString();
        }

        private byte[] content() {
            byte[] bytes = new byte[random.nextInt(4) == 0 ? 500 + random.nextInt(3000) : random.nextInt(300)];
            random.nextBytes(bytes);
            return bytes;
        }

        private void putElsewhere(Mounted mount, String path) {
            String key = random.nextInt(5) == 0
                    ? path + List.of("/", "//x", "/..", "/./y").get(random.nextInt(4))
                    : path;
            byte[] bytes = content();
            done.add("put " + key);
            mount.memory.add(key, bytes);
            model.store(key, bytes);
            // A file that a directory hides now is seen again only as what is stored of it.
            for (String hidden : List.copyOf(open.keySet())) {
                if (model.isDirectory(hidden)) {
                    finish(mount, hidden);
                }
            }
        }

        private void deleteElsewhere(Mounted mount) throws StoreException {
            if (!model.remote.isEmpty()) {
                List<String> keys = List.copyOf(model.remote.keySet());
                String key = keys.get(random.nextInt(keys.size()));
                done.add("delete " + key);
                mount.memory.delete(key);
                model.remote.remove(key);
            }
        }

        private static String parent(String path) {
            int slash = path.lastIndexOf('/');
            return slash < 0 ? "" : path.substring(0, slash);
        }

        private void mkdir(Mounted mount, String path) {
            boolean works = model.isDirectory(parent(path)) && !model.isDirectory(path) && !model.isFile(path);
            expect("mkdir " + path, works, () -> mount.kernel.mkdir(path));
            if (works) {
                model.localDirectories.put(path, true);
            }
        }

        private void rmdir(Mounted mount, String path) {
            boolean isEmpty =
                    model.paths().stream().noneMatch(each -> each.startsWith(path + "/") && !each.equals(path + "/"));
            boolean works = model.localDirectories.containsKey(path) && isEmpty;
            expect("rmdir " + path, works, () -> {
                // As the kernel does when it believes nothing.
                mount.kernel.node(path);
                mount.kernel.rmdir(path);
            });
            if (works) {
                model.localDirectories.remove(path);
                model.keepParentOf(path);
            }
        }

        /** The store refuses, or does it and does not say so: whoever writes the file goes on. */
        private void failToUnlink(Mounted mount, String path) {
            boolean isLost = random.nextBoolean();
            done.add("unlink " + path + (isLost ? ", answer lost" : ", refused by the store"));
            mount.faults.always(
                    StoreOperation.DELETE_OBJECT,
                    isLost
                            ? new Fault.LoseAnswer(new StoreFailure.Timeout())
                            : new Fault.Fail(new StoreFailure.ServerError()));
            try {
                mount.kernel.unlink(path);
                throw new AssertionError("removed, " + story());
            } catch (ErrnoException e) {
                assertThat(e.errno()).as(story()).isEqualTo(Errno.EIO);
            }
            mount.faults.heal();
            if (isLost) {
                model.remote.remove(path);
            }
        }

        private void unlink(Mounted mount, String path) {
            String opened = anyOpen();
            String target = opened == null || random.nextBoolean() ? path : opened;
            if (model.isFile(target) && random.nextInt(3) == 0) {
                failToUnlink(mount, target);
            } else {
                reallyUnlink(mount, target);
            }
        }

        private void reallyUnlink(Mounted mount, String path) {
            boolean works = model.isFile(path);
            expect("unlink " + path, works, () -> mount.kernel.unlink(path));
            if (works) {
                model.remote.remove(path);
                model.writing.remove(path);
                Writing gone = open.remove(path);
                if (gone != null) {
                    // Goes on, into nothing.
                    write(mount, gone, gone.content.length - gone.written);
                    mount.kernel.close(gone.file);
                }
                model.keepParentOf(path);
            }
        }

        private void begin(Mounted mount, String path) {
            boolean works = model.isDirectory(parent(path)) && !model.isDirectory(path) && !open.containsKey(path);
            boolean replaces = model.isFile(path);
            FakeKernel.File[] file = new FakeKernel.File[1];
            expect(
                    "open " + path,
                    works,
                    () -> file[0] = mount.kernel.openOrCreate(path, FileFlags.O_WRONLY | FileFlags.O_TRUNC));
            if (works) {
                model.writing.add(path);
                open.put(path, new Writing(file[0], content(), replaces));
            }
        }

        private void rename(Mounted mount, String to) {
            String opened = anyOpen();
            String from = opened == null || random.nextInt(5) == 0 ? path() : opened;
            Writing writing = open.get(from);
            // What is larger than a part is on its way to the store.
            boolean isHere = writing != null && !writing.replaces && writing.written <= Mounted.PART;
            boolean isFree = model.isDirectory(parent(to)) && !model.isDirectory(to) && !open.containsKey(to);
            if (from.equals(to)) {
                return;
            }
            expect("rename " + from + " to " + to, isHere && isFree, () -> mount.kernel.rename(from, to, 0));
            if (writing != null && isHere && isFree) {
                open.remove(from);
                open.put(to, writing);
                model.writing.remove(from);
                model.writing.add(to);
                model.keepParentOf(from);
            }
        }

        private void append(Mounted mount, String path) {
            boolean works = model.isFile(path) && !open.containsKey(path);
            byte[] more = content();
            expect("append " + more.length + " to " + path, works, () -> {
                FakeKernel.File file = mount.kernel.open(path, FileFlags.O_WRONLY | FileFlags.O_APPEND);
                mount.kernel.write(file, mount.kernel.fstat(file).size(), more);
                mount.kernel.close(file);
            });
            if (works) {
                byte[] before = Objects.requireNonNull(model.remote.get(path));
                byte[] whole = Arrays.copyOf(before, before.length + more.length);
                System.arraycopy(more, 0, whole, before.length, more.length);
                model.store(path, whole);
            }
        }

        private void writeSome(Mounted mount) {
            String path = anyOpen();
            if (path != null) {
                Writing writing = Objects.requireNonNull(open.get(path));
                int size = random.nextInt(writing.content.length - writing.written + 1);
                done.add("write " + size + " to " + path);
                write(mount, writing, size);
                if (random.nextInt(4) == 0) {
                    done.add("flush " + path);
                    boolean stores = writing.written > 0;
                    mount.kernel.flush(writing.file);
                    if (stores) {
                        model.store(path, Arrays.copyOf(writing.content, writing.written));
                        model.writing.remove(path);
                        // Written on later, as somebody with a duplicate would.
                        finish(mount, path);
                    }
                }
            }
        }

        private void write(Mounted mount, Writing writing, int size) {
            byte[] piece = Arrays.copyOfRange(writing.content, writing.written, writing.written + size);
            assertThat(mount.kernel.write(writing.file, writing.written, piece)).isEqualTo(size);
            writing.written += size;
        }

        private void finishSome(Mounted mount) {
            String path = anyOpen();
            if (path != null) {
                finish(mount, path);
            }
        }

        private void finish(Mounted mount, String path) {
            Writing writing = Objects.requireNonNull(open.remove(path));
            done.add("finish " + path);
            write(mount, writing, writing.content.length - writing.written);
            mount.kernel.close(writing.file);
            model.writing.remove(path);
            model.store(path, writing.content);
        }

        private @Nullable String anyOpen() {
            List<String> paths = open.keySet().stream().sorted().toList();
            return paths.isEmpty() ? null : paths.get(random.nextInt(paths.size()));
        }

        private void expect(String what, boolean works, Runnable call) {
            done.add(what + (works ? "" : " (refused)"));
            try {
                call.run();
                assertThat(works).as(story()).isTrue();
            } catch (ErrnoException e) {
                assertThat(works)
                        .as("%s failed with %s", story(), e.getMessage())
                        .isFalse();
                assertThat(e.errno())
                        .as(story())
                        .isIn(
                                Errno.EXDEV,
                                Errno.EPERM,
                                Errno.ENOENT,
                                Errno.EEXIST,
                                Errno.ENOTDIR,
                                Errno.EISDIR,
                                Errno.ENOTEMPTY);
            }
        }

        private void compare(Mounted mount) {
            TreeSet<String> seen = new TreeSet<>();
            walk(mount, "", seen);
            Set<String> expected = model.paths();
            assertThat(seen).as(story()).isEqualTo(expected);
            for (String path : expected) {
                if (!path.endsWith("/") && !model.writing.contains(path)) {
                    assertThat(mount.kernel.readAll(path)).as(story()).isEqualTo(model.remote.get(path));
                }
            }
        }

        private void walk(Mounted mount, String path, Set<String> seen) {
            for (FakeKernel.Listed each : mount.kernel.list(path, 1 + random.nextInt(9))) {
                if (each.name().equals(".") || each.name().equals("..")) {
                    continue;
                }
                String below = path.isEmpty() ? each.name() : path + '/' + each.name();
                assertThat(seen.add(each.isDirectory() ? below + '/' : below))
                        .as("%s twice, %s", below, story())
                        .isTrue();
                if (each.isDirectory()) {
                    walk(mount, below, seen);
                }
            }
        }

        private String story() {
            return "seed " + seed + ": " + done;
        }
    }
}
