package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.Handover;
import s3csi.fuse.OpenFlags;
import s3csi.linux.Errno;
import s3csi.linux.Processes;

/** A process that waits for the file system can be killed, and no other signal disturbs it. */
@Tag("engine")
class InterruptTest {
    private static final MemorySegment CONTENT =
            Arena.global().allocateFrom("content").asSlice(0, 7);
    private static final int SIGSTOP = 19;
    private static final int SIGCONT = 18;

    private static final class Waiting extends OneFile {
        final CountDownLatch arrived = new CountDownLatch(1);
        final CountDownLatch cancelled = new CountDownLatch(1);
        final CountDownLatch answer = new CountDownLatch(1);
        final boolean byCallback;

        Waiting(boolean byCallback) {
            this.byCallback = byCallback;
            openFlags = OpenFlags.DIRECT_IO;
        }

        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            if (byCallback) {
                DataReply later = reply.later();
                later.onCancel(() -> {
                    cancelled.countDown();
                    later.abandon(Errno.EINTR);
                });
                arrived.countDown();
            } else {
                Handover.toVirtualThread(reply, later -> {
                    arrived.countDown();
                    try {
                        answer.await();
                    } catch (InterruptedException e) {
                        cancelled.countDown();
                        throw e;
                    }
                    long left = Math.max(0, CONTENT.byteSize() - offset);
                    later.add(CONTENT, CONTENT.byteSize() - left, left).send();
                });
            }
        }
    }

    private static void assertReaderDies(Waiting fileSystem) throws Exception {
        try (Mounted mount = Mounted.of(fileSystem)) {
            Process reader = Shell.start(mount.root, "exec cat file");
            assertThat(fileSystem.arrived.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(reader.isAlive()).isTrue();
            Processes.kill(reader.pid(), Processes.SIGKILL);
            assertThat(Shell.endsSoon(reader)).as("the killed reader ends").isTrue();
            assertThat(fileSystem.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(mount.session.counters().interrupts()).isPositive();
            assertThat(mount.session.counters().cancelled()).isPositive();
            assertThat(mount.session.counters().handlerFailures()).isZero();
            // The mount goes on.
            assertThat(Shell.run(mount.root, "stat file").exit()).isZero();
        }
    }

    @Test
    void aKilledReaderEndsAndItsVirtualThreadIsInterrupted() throws Exception {
        assertReaderDies(new Waiting(false));
    }

    @Test
    void aKilledReaderEndsByTheCallback() throws Exception {
        assertReaderDies(new Waiting(true));
    }

    private static void stopAndContinue(Process reader, Mounted mount) throws Exception {
        Processes.kill(reader.pid(), SIGSTOP);
        Await.until(
                "the kernel tells of the signal", () -> mount.session.counters().interrupts() > 0);
        Processes.kill(reader.pid(), SIGCONT);
    }

    @Test
    void aReaderThatWasStoppedGetsItsAnswer() throws Exception {
        Waiting fileSystem = new Waiting(false);
        try (Mounted mount = Mounted.of(fileSystem)) {
            Process reader = Shell.start(mount.root, "exec cat file");
            assertThat(fileSystem.arrived.await(30, TimeUnit.SECONDS)).isTrue();
            stopAndContinue(reader, mount);
            fileSystem.answer.countDown();
            assertThat(reader.getInputStream().readAllBytes()).isEqualTo("content".getBytes(StandardCharsets.UTF_8));
            assertThat(reader.waitFor()).isZero();
            assertThat(mount.session.counters().cancelled()).isZero();
        }
    }

    /** Of which the kernel does not tell: there is one interrupt for each request. */
    @Test
    void aReaderThatWasStoppedCanStillBeKilled() throws Exception {
        Waiting fileSystem = new Waiting(false);
        try (Mounted mount = Mounted.of(fileSystem)) {
            Process reader = Shell.start(mount.root, "exec cat file");
            assertThat(fileSystem.arrived.await(30, TimeUnit.SECONDS)).isTrue();
            stopAndContinue(reader, mount);
            assertThat(fileSystem.cancelled.getCount()).isPositive();
            Processes.kill(reader.pid(), Processes.SIGKILL);
            assertThat(Shell.endsSoon(reader)).as("the killed reader ends").isTrue();
            assertThat(mount.session.counters().cancelled()).isPositive();
        }
    }

    @Test
    void aSignalThatEndsTheProcessIsAsGoodAsAKill() throws Exception {
        Waiting fileSystem = new Waiting(false);
        try (Mounted mount = Mounted.of(fileSystem)) {
            Process reader = Shell.start(mount.root, "exec cat file");
            assertThat(fileSystem.arrived.await(30, TimeUnit.SECONDS)).isTrue();
            Processes.kill(reader.pid(), Processes.SIGTERM);
            assertThat(Shell.endsSoon(reader)).as("the reader ends").isTrue();
            assertThat(fileSystem.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** It ends by another of its threads than the one that waits. */
    @Test
    void aProcessOfSeveralThreadsEnds() throws Exception {
        Waiting fileSystem = new Waiting(false);
        try (Mounted mount = Mounted.of(fileSystem)) {
            Process reader = Shell.start(
                    mount.root,
                    "exec python3 -c \"import os, sys, threading; threading.Thread(target=lambda: open('file').read()).start();"
                            + " sys.stdin.read(); os._exit(3)\"");
            assertThat(fileSystem.arrived.await(30, TimeUnit.SECONDS)).isTrue();
            reader.getOutputStream().close();
            assertThat(Shell.endsSoon(reader)).as("the reader ends").isTrue();
            assertThat(reader.exitValue()).isEqualTo(3);
            assertThat(fileSystem.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void manyReadersAreKilledAtOnce() throws Exception {
        Waiting fileSystem = new Waiting(false);
        try (Mounted mount = Mounted.of(fileSystem)) {
            Process readers = Shell.start(
                    mount.root,
                    "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do timeout -s KILL 0.2 cat file & done; wait; true");
            assertThat(Shell.endsSoon(readers)).isTrue();
            assertThat(mount.session.counters().handlerFailures()).isZero();
        }
    }

    @Test
    void forceUnmountEndsTheSessionThoughARequestIsNeverAnswered() throws Exception {
        Waiting fileSystem = new Waiting(false);
        try (Mounted mount = Mounted.of(fileSystem)) {
            Process reader = Shell.start(mount.root, "exec cat file");
            assertThat(fileSystem.arrived.await(30, TimeUnit.SECONDS)).isTrue();
            Mounted.cleanUp(mount.root);
            assertThat(Shell.endsSoon(reader)).isTrue();
            // A request that only reads is given up when nobody can wait for it any more.
            assertThat(fileSystem.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(mount.session.awaitEnd(Mounted.LONG)).isPresent();
            assertThat(fileSystem.ended).isTrue();
        }
    }
}
