package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.Handover;
import s3csi.fuse.OpenFlags;
import s3csi.linux.Errno;
import s3csi.linux.Processes;

/** A process that waits for the file system can be killed. */
@Tag("engine")
class InterruptTest {
    private static final class Waiting extends OneFile {
        final CountDownLatch arrived = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);
        final boolean byCallback;

        Waiting(boolean byCallback) {
            this.byCallback = byCallback;
            openFlags = OpenFlags.DIRECT_IO;
        }

        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            if (byCallback) {
                DataReply later = reply.later();
                later.onInterrupt(() -> {
                    interrupted.countDown();
                    later.abandon(Errno.EINTR);
                });
                arrived.countDown();
            } else {
                Handover.toVirtualThread(reply, later -> {
                    arrived.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
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
            assertThat(fileSystem.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(mount.session.counters().interrupts()).isPositive();
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
            assertThat(fileSystem.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(mount.session.awaitEnd(Mounted.LONG)).isPresent();
            assertThat(fileSystem.ended).isTrue();
        }
    }
}
