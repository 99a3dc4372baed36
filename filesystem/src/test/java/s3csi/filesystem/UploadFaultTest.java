package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

/** Uploads that fail: the program hears of it, and nothing is left behind. */
class UploadFaultTest {
    private static final int WRONLY = FileFlags.O_WRONLY;
    private static final StoreFailure BROKEN = new StoreFailure.ServerError();

    @ParameterizedTest
    @EnumSource(
            value = StoreOperation.class,
            names = {"CREATE_UPLOAD", "UPLOAD_PART", "COMPLETE_UPLOAD"})
    void aPartThatFailsForGoodFailsTheClose(StoreOperation operation) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.faults.always(operation, new Fault.Fail(BROKEN));
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            try {
                mount.kernel.write(file, 0, content(2500));
            } catch (s3csi.filesystem.testing.ErrnoException e) {
                assertThat(e.errno()).isEqualTo(Errno.EIO);
            }

            assertErrno(Errno.EIO, () -> mount.kernel.flush(file));
            assertErrno(Errno.EIO, () -> mount.kernel.fsync(file));
            mount.kernel.release(file);

            assertClean(mount);
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
        }
    }

    @Test
    void aPutThatFailsFailsTheClose() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.faults.always(StoreOperation.PUT_OBJECT, new Fault.Fail(BROKEN));
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(25));

            assertErrno(Errno.EIO, () -> mount.kernel.flush(file));
            assertErrno(Errno.EIO, () -> mount.kernel.write(file, 25, content(1)));
            mount.kernel.release(file);
            assertClean(mount);
        }
    }

    @Test
    void anEmptyFileThatCannotBeStoredIsGoneAfterItsLastClose() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.faults.at(StoreOperation.PUT_OBJECT, 1, new Fault.Fail(BROKEN));
            mount.kernel.close(mount.kernel.create("f", WRONLY));

            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            assertThat(mount.kernel.ls("")).isEmpty();
            assertClean(mount);
            mount.kernel.writeAll("f", content(3), 3);
            assertThat(mount.storedBytes("f")).isEqualTo(content(3));
        }
    }

    @Test
    void aForbiddenUploadIsAccessDenied() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.faults.always(
                    StoreOperation.PUT_OBJECT,
                    new Fault.Fail(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)));
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(25));

            assertErrno(Errno.EACCES, () -> mount.kernel.flush(file));
        }
    }

    @Test
    void aFailedPartFailsLaterWrites() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.faults.at(StoreOperation.UPLOAD_PART, 1, new Fault.Fail(BROKEN));
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(1500));
            long[] at = {1500};

            Eventually.that(() -> {
                try {
                    mount.kernel.write(file, at[0], content(100));
                    at[0] += 100;
                    return false;
                } catch (s3csi.filesystem.testing.ErrnoException e) {
                    return e.errno() == Errno.EIO;
                }
            });
            mount.kernel.release(file);
            assertClean(mount);
        }
    }

    @Test
    void anotherObjectUnderTheNameProvesNothing() {
        try (Mounted mount = Mounted.with(WriteTest.overwriting())) {
            mount.put("f", "other");
            mount.faults.at(StoreOperation.PUT_OBJECT, 1, new Fault.Fail(new StoreFailure.Timeout()));
            FakeKernel.File file = mount.kernel.open("f", WRONLY | FileFlags.O_TRUNC);
            mount.kernel.write(file, 0, Mounted.bytes("OTHER"));

            assertErrno(Errno.EIO, () -> mount.kernel.flush(file));
        }
    }

    @Test
    void aFileOfTooManyPartsIsTooLarge() {
        FileSystemConfig config = Mounted.config();
        try (Mounted mount = Mounted.with(config.withUploads(config.uploads().withPartSize(1)))) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(10));

            assertErrno(Errno.EFBIG, () -> mount.kernel.write(file, 10, content(9_991)));
            assertErrno(Errno.ENOSPC, () -> mount.kernel.fsync(file));
            assertErrno(Errno.EFBIG, () -> mount.kernel.flush(file));
            mount.kernel.release(file);
            assertClean(mount);
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
        }
    }

    @Test
    void anInterruptedCloseGoesOnStoring() throws InterruptedException {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.PUT_OBJECT, 1, hold);
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(10));
            FakeKernel.Pending flush = mount.kernel.startFlush(file);
            hold.reached().await();

            flush.interrupt();

            assertErrno(Errno.EINTR, flush::written);
            hold.released().countDown();
            mount.kernel.release(file);
            assertThat(mount.storedBytes("f")).isEqualTo(content(10));
            assertThat(mount.memory.requests(StoreOperation.PUT_OBJECT)).isEqualTo(1);
        }
    }

    @Test
    void theEndOfTheMountWaitsForAnEmptyFileThatIsBeingStored() throws InterruptedException {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.PUT_OBJECT, 1, hold);
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.flush(file);
            FakeKernel.Pending release = mount.kernel.startRelease(file);
            hold.reached().await();

            // As a session does that is told to stop.
            release.interrupt();
            assertErrno(Errno.EINTR, release::written);
            assertThat(mount.fileSystem.unstored()).containsExactly("f");
            Thread end = Thread.ofVirtual().start(mount.fileSystem::ended);
            hold.released().countDown();
            end.join();

            assertThat(mount.storedBytes("f")).isEmpty();
        }
    }

    @Test
    void anInterruptedWriteSaysWhatItTook() throws InterruptedException {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.always(StoreOperation.UPLOAD_PART, hold);
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            // Three parts may be under way and one is filled; the rest waits.
            FakeKernel.Pending write = mount.kernel.startWrite(file, 0, content(10 * Mounted.PART));
            hold.reached().await();
            assertThat(write.isAnswered()).isFalse();

            write.interrupt();
            long taken = write.written();

            assertThat(taken).isGreaterThanOrEqualTo(3 * Mounted.PART).isLessThan(10 * Mounted.PART);
            hold.released().countDown();
            byte[] all = content(10 * Mounted.PART);
            mount.kernel.write(file, taken, Arrays.copyOfRange(all, (int) taken, all.length));
            mount.kernel.close(file);
            assertThat(mount.storedBytes("f")).isEqualTo(all);
        }
    }

    @Test
    void theEndOfTheMountStoresWhatWasClosedAndAbortsTheRest() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File closed = mount.kernel.create("closed", WRONLY);
            mount.kernel.flush(closed);
            FakeKernel.File open = mount.kernel.create("open", WRONLY);
            mount.kernel.write(open, 0, content(2500));

            mount.fileSystem.ended();

            assertThat(mount.storedBytes("closed")).isEmpty();
            assertThat(mount.memory.find("open")).isNull();
            assertThat(mount.memory.hasUploadInProgress("open")).isFalse();
            assertThat(mount.heldForData()).isZero();
        }
    }

    @Test
    void anAbortThatFailsIsNotTheProgramsProblem() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.faults.always(StoreOperation.ABORT_UPLOAD, new Fault.Fail(BROKEN));
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(2500));
            assertErrno(Errno.EINVAL, () -> mount.kernel.write(file, 1, content(1)));
            mount.kernel.release(file);
            mount.kernel.writeAll("f", content(10), 10);

            assertThat(mount.storedBytes("f")).isEqualTo(content(10));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = StoreOperation.class,
            names = {"PUT_OBJECT", "CREATE_UPLOAD", "UPLOAD_PART", "COMPLETE_UPLOAD"})
    void aFaultOfTheProgramFailsTheFileAndNothingElse(StoreOperation operation) {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.faults.at(operation, 1, new Fault.Crash());
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(operation == StoreOperation.PUT_OBJECT ? 25 : 1500));

            assertErrno(Errno.EIO, () -> mount.kernel.flush(file));
            assertErrno(Errno.EIO, () -> mount.kernel.flush(file));
            assertErrno(Errno.EIO, () -> mount.kernel.fsync(file));
            mount.kernel.release(file);

            assertClean(mount);
            mount.kernel.writeAll("f", content(2500), 500);
            assertThat(mount.storedBytes("f")).isEqualTo(content(2500));
        }
    }

    @Test
    void bytesThatCannotBeKeptFailTheFile() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.always(StoreOperation.UPLOAD_PART, hold);
            FakeKernel.File file = mount.kernel.create("f", WRONLY);

            // Some parts are taken at once; for the rest there is no memory in the program.
            assertErrno(Errno.EIO, () -> mount.kernel.writeUnkept(file, 0, content(10 * Mounted.PART)));
            hold.released().countDown();

            assertErrno(Errno.EIO, () -> mount.kernel.write(file, 4 * Mounted.PART, content(1)));
            assertErrno(Errno.EIO, () -> mount.kernel.flush(file));
            mount.kernel.release(file);
            assertClean(mount);
        }
    }

    @Test
    void aFailedWriteOnLeavesWhatWasStoredBefore() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, content(25));
            mount.kernel.fsync(file);
            mount.kernel.write(file, 25, content(10));

            assertErrno(Errno.EINVAL, () -> mount.kernel.write(file, 99, content(1)));
            assertErrno(Errno.EINVAL, () -> mount.kernel.flush(file));
            mount.kernel.release(file);

            assertThat(mount.storedBytes("f")).isEqualTo(content(25));
            assertThat(mount.kernel.stat("f").size()).isEqualTo(25);
        }
    }

    @Test
    void anInterruptedWriteAfterACloseTakesNoByteTwice() throws InterruptedException {
        FileSystemConfig config = Mounted.config();
        try (Mounted mount = Mounted.with(config.withUploads(config.uploads().withPartSize(8 << 20)))) {
            byte[] all = content(3 << 20);
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, Arrays.copyOf(all, 2 << 20));
            mount.kernel.flush(file);
            // What was stored is fetched to go on with it.
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.GET_OBJECT, 1, hold);
            FakeKernel.Pending write = mount.kernel.startWrite(file, 2 << 20, new byte[1 << 20]);
            hold.reached().await();

            write.interrupt();

            assertErrno(Errno.EINTR, write::written);
            mount.kernel.write(file, 2 << 20, Arrays.copyOfRange(all, 2 << 20, 3 << 20));
            mount.kernel.close(file);
            assertThat(Arrays.equals(mount.storedBytes("f"), all)).isTrue();
            Eventually.that(() -> mount.heldForData() == 0);
        }
    }

    @Test
    void whatAnInterruptedWriteHadFetchedIsNotTakenForMore() throws InterruptedException {
        FileSystemConfig config = Mounted.config();
        try (Mounted mount = Mounted.with(config.withUploads(config.uploads().withPartSize(8 << 20)))) {
            byte[] all = content(3 << 20);
            FakeKernel.File file = mount.kernel.create("f", WRONLY);
            mount.kernel.write(file, 0, Arrays.copyOf(all, 2 << 20));
            mount.kernel.flush(file);
            // Half of what was stored comes back to go on with it.
            CountDownLatch isHalf = new CountDownLatch(1);
            mount.faults.at(StoreOperation.GET_OBJECT, 1, new Fault.StallAfter(1 << 20, isHalf));
            FakeKernel.Pending write = mount.kernel.startWrite(file, 2 << 20, new byte[1 << 20]);
            isHalf.await();

            write.interrupt();

            assertErrno(Errno.EINTR, write::written);
            mount.kernel.write(file, 2 << 20, Arrays.copyOfRange(all, 2 << 20, 3 << 20));
            mount.kernel.close(file);
            assertThat(Arrays.equals(mount.storedBytes("f"), all)).isTrue();
            Eventually.that(() -> mount.heldForData() == 0);
        }
    }

    private static void assertClean(Mounted mount) {
        Eventually.that(() -> !mount.memory.hasUploadInProgress("f"));
        Eventually.that(() -> mount.heldForData() == 0);
        assertThat(mount.memory.find("f")).isNull();
    }
}
