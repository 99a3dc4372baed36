package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.ErrnoException;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;

/** Names that several programs change at the same time: whatever the order, it is one, and no byte goes elsewhere. */
class NameRaceTest {
    private static final int WRONLY = FileFlags.O_WRONLY;

    @Test
    void ofManyWhoRenameAtOnceEachFindsOneFileWithAllItsBytes() throws Exception {
        try (Mounted mount = Mounted.with(Mounted.config());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            FakeKernel.File file = mount.kernel.create("a", WRONLY);
            mount.kernel.write(file, 0, content(300));
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                boolean forwards = i % 2 == 0;
                all.add(threads.submit(() -> {
                    for (int round = 0; round < 100; round++) {
                        tryRename(mount, forwards ? "a" : "b", forwards ? "b" : "a");
                    }
                }));
            }
            all.add(threads.submit(() -> {
                for (int round = 0; round < 200; round++) {
                    assertThat(mount.kernel.ls("")).hasSizeBetween(0, 2);
                }
            }));
            for (Future<?> each : all) {
                each.get();
            }

            assertThat(mount.kernel.ls("")).hasSize(1);
            String name = mount.kernel.ls("").getFirst();
            assertThat(mount.kernel.node(name)).isEqualTo(file.node());
            mount.kernel.write(file, 300, content(10));
            mount.kernel.close(file);
            assertThat(mount.memory.all()).hasSize(1);
            assertThat(mount.storedBytes(name)).hasSize(310).startsWith(content(300));
        }
    }

    private static void tryRename(Mounted mount, String from, String to) {
        try {
            mount.kernel.rename(from, to, 0);
        } catch (ErrnoException e) {
            // Another was faster.
            assertThat(e.errno()).isIn(Errno.ENOENT, Errno.EPERM, Errno.EEXIST);
        }
    }

    @Test
    void aRenameAndTwoRemovalsComeToWhatSomeOrderOfThemComesTo() throws Exception {
        for (int round = 0; round < 100; round++) {
            try (Mounted mount = Mounted.with(
                            Mounted.config().withPermissions(FileSystemConfig.Permissions.DEFAULTS.withDelete()));
                    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                FakeKernel.File file = mount.kernel.create("a", WRONLY);
                mount.kernel.write(file, 0, content(30));
                AtomicInteger removed = new AtomicInteger();
                List<Future<?>> all = List.of(
                        threads.submit(() -> tryRename(mount, "a", "b")),
                        threads.submit(() -> tryUnlink(mount, "a", removed)),
                        threads.submit(() -> tryUnlink(mount, "b", removed)));
                for (Future<?> each : all) {
                    each.get();
                }
                List<String> left = mount.kernel.ls("");
                mount.kernel.close(file);

                // Removed once and gone, or not removed, because it moved between the two: then it is under the new
                // name.
                assertThat(removed.get()).as("round %d", round).isLessThanOrEqualTo(1);
                assertThat(left).as("round %d", round).isEqualTo(removed.get() == 1 ? List.of() : List.of("b"));
                assertThat(mount.memory.all()).as("round %d", round).hasSize(1 - removed.get());
            }
        }
    }

    private static void tryUnlink(Mounted mount, String name, AtomicInteger removed) {
        try {
            mount.kernel.unlink(name);
            removed.incrementAndGet();
        } catch (ErrnoException e) {
            assertThat(e.errno()).isEqualTo(Errno.ENOENT);
        }
    }

    @Test
    void whatIsFoundAndForgottenAtOnceIsNeverGoneForWhoeverFoundIt() throws Exception {
        try (Mounted mount = Mounted.with(Mounted.config());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String name = "f" + i % 2;
                mount.put(name, name);
                all.add(threads.submit(() -> {
                    for (int round = 0; round < 300; round++) {
                        long node = mount.kernel.lookup(1, name).node();
                        // The reference that was just counted keeps the number alive.
                        assertThat(mount.kernel.getattr(node).size()).isEqualTo(2);
                        mount.kernel.forget(node, 1);
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(mount.fileSystem.inodes()).isEqualTo(1);
        }
    }

    @Test
    void aFileIsMadeByOneOfManyWhoWantToBeTheFirst() throws Exception {
        for (int round = 0; round < 100; round++) {
            try (Mounted mount = Mounted.with(Mounted.config());
                    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                AtomicInteger made = new AtomicInteger();
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    int value = i;
                    all.add(threads.submit(() -> {
                        try {
                            FakeKernel.File file = mount.kernel.create("f", WRONLY | FileFlags.O_EXCL);
                            made.incrementAndGet();
                            mount.kernel.write(file, 0, new byte[] {(byte) value});
                            mount.kernel.close(file);
                        } catch (ErrnoException e) {
                            assertThat(e.errno()).isEqualTo(Errno.EEXIST);
                        }
                    }));
                }
                for (Future<?> each : all) {
                    each.get();
                }
                assertThat(made.get()).as("round %d", round).isEqualTo(1);
                assertThat(mount.storedBytes("f")).as("round %d", round).hasSize(1);
            }
        }
    }
}
