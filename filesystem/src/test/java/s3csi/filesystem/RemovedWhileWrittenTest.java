package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.ErrnoException;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

/** A name is removed while somebody writes the file: the writer loses it once the store has deleted it, and not before. */
class RemovedWhileWrittenTest {
    private static final int WRONLY = FileFlags.O_WRONLY;

    private static FileSystemConfig config() {
        return Mounted.config()
                .withPermissions(
                        FileSystemConfig.Permissions.DEFAULTS.withDelete().withOverwrite());
    }

    static List<Fault> refusals() {
        return List.of(
                new Fault.Fail(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)),
                new Fault.Fail(new StoreFailure.ServerError()),
                new Fault.LoseAnswer(new StoreFailure.Timeout()));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aWriterGoesOnWhenItsNameCouldNotBeRemoved(Fault refusal) {
        for (int size : new int[] {0, 300, 2500}) {
            try (Mounted mount = Mounted.with(config())) {
                FakeKernel.File file = mount.kernel.create("f", WRONLY);
                mount.kernel.write(file, 0, content(size));
                mount.faults.always(StoreOperation.DELETE_OBJECT, refusal);

                ErrnoException refused = unlinkFails(mount);

                assertThat(refused.errno()).isIn(Errno.EACCES, Errno.EIO);
                assertThat(mount.kernel.ls("")).containsExactly("f");
                byte[] all = content(size + 100);
                mount.kernel.write(file, size, Arrays.copyOfRange(all, size, size + 100));
                mount.kernel.fsync(file);
                assertThat(mount.storedBytes("f")).isEqualTo(all);
                mount.kernel.close(file);
                assertThat(mount.kernel.readAll("f")).isEqualTo(all);
            }
        }
    }

    private static ErrnoException unlinkFails(Mounted mount) {
        try {
            mount.kernel.unlink("f");
        } catch (ErrnoException e) {
            return e;
        }
        throw new AssertionError("the removal was not refused");
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 2500})
    void aCloseWaitsForTheRemovalAndThenStoresNothing(int size) throws InterruptedException {
        try (Mounted mount = Mounted.with(config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(size));
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.DELETE_OBJECT, 1, hold);
            FakeKernel.Pending unlink = mount.kernel.startUnlink("f");
            hold.reached().await();

            FakeKernel.Pending flush = mount.kernel.startFlush(file);
            assertThat(mount.memory.find("f")).isNull();
            hold.released().countDown();

            unlink.written();
            flush.written();
            mount.kernel.release(file);
            assertThat(mount.memory.find("f")).isNull();
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
        }
    }

    @Test
    void anInterruptedRemovalLeavesTheWriterAsItWas() throws InterruptedException {
        try (Mounted mount = Mounted.with(config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(10));
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.DELETE_OBJECT, 1, hold);
            FakeKernel.Pending unlink = mount.kernel.startUnlink("f");
            hold.reached().await();

            unlink.interrupt();

            assertErrno(Errno.EINTR, unlink::written);
            mount.kernel.close(file);
            assertThat(mount.storedBytes("f")).isEqualTo(content(10));
        }
    }

    @Test
    void whoeverOpensAFileWhileItIsRemovedLosesItToo() throws InterruptedException {
        try (Mounted mount = Mounted.with(config())) {
            mount.put("f", "old");
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.DELETE_OBJECT, 1, hold);
            FakeKernel.Pending unlink = mount.kernel.startUnlink("f");
            hold.reached().await();
            FakeKernel.File file = mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC);
            mount.kernel.write(file, 0, content(10));
            hold.released().countDown();

            unlink.written();

            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            mount.kernel.close(file);
            assertThat(mount.memory.find("f")).isNull();
        }
    }

    /** As a program does that begins its file anew, through the descriptor that it has. */
    @ParameterizedTest
    @ValueSource(ints = {10, 2500})
    void whatWasRemovedStaysSoWhenItIsTruncatedAndWrittenAgain(int size) {
        try (Mounted mount = Mounted.with(config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(size));
            mount.kernel.unlink("f");

            mount.kernel.truncate(file.node(), 0);
            mount.kernel.write(file, 0, content(size));
            mount.kernel.fsync(file);
            mount.kernel.close(file);

            assertThat(mount.memory.find("f")).isNull();
            assertThat(mount.kernel.ls("")).isEmpty();
        }
    }
}
