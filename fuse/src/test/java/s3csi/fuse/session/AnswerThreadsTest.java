package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.Handover;
import s3csi.fuse.Operation;
import s3csi.fuse.session.FakeDevice.Bytes;
import s3csi.linux.Errno;

/** More requests than may be worked on at a time. */
class AnswerThreadsTest {
    private static final byte[] READ =
            new Bytes().int64(1).int64(0).int32(100).int32(0).zeroes(16).done();
    private static final byte[] FLUSH = new Bytes().int64(1).zeroes(16).done();
    private static final int MANY = 3000;
    private static final int MOST = 512;

    private final FakeDevice device = new FakeDevice();
    private final AtomicInteger running = new AtomicInteger();
    private final CountDownLatch away = new CountDownLatch(1);

    private final OneFile fileSystem = new OneFile() {
        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            Handover.toVirtualThread(reply, own -> {
                running.incrementAndGet();
                away.await();
                own.send();
            });
        }

        @Override
        public void flush(long node, long handle, long lockOwner, EmptyReply reply) {
            Handover.toVirtualThread(reply, EmptyReply::done);
        }
    };

    private FuseSession start() throws Exception {
        FuseSession session = DeviceSession.start(
                device, fileSystem, SessionSettings.defaults().withThreads(1), new RecordedEvents());
        device.send(Operation.INIT, WireTest.init(45, 0));
        device.answer();
        return session;
    }

    @AfterEach
    void end() {
        away.countDown();
        device.fail(Errno.ENODEV);
    }

    @Test
    void someAreWorkedOnAtATimeAndAllAreAnswered() throws Exception {
        FuseSession session = start();
        Set<Long> asked = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            asked.add(device.send(Operation.READ, READ));
        }
        Await.until("all were read", () -> session.counters().pending() == MANY);
        Await.until("some are worked on", () -> running.get() == MOST);

        away.countDown();

        Set<Long> answered = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            answered.add(unique(device.answer()));
        }
        assertThat(answered).isEqualTo(asked);
        assertThat(running).hasValue(MANY);
        Await.until("nothing is left", () -> session.counters().pending() == 0);
    }

    private static long unique(byte[] answer) {
        return ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN).getLong(8);
    }

    @Test
    void whoWaitsForSomethingElseDoesNotWaitForThem() throws Exception {
        FuseSession session = start();
        for (int i = 0; i < MANY; i++) {
            device.send(Operation.READ, READ);
        }
        Await.until("all were read", () -> session.counters().pending() == MANY);

        long close = device.send(Operation.FLUSH, FLUSH);

        assertThat(device.answer()).isEqualTo(WireTest.answer(close, 0, new byte[0]));
    }

    @Test
    void aKilledProcessDoesNotWaitForThoseBeforeIt() throws Exception {
        FuseSession session = start();
        long last = 0;
        for (int i = 0; i < MANY; i++) {
            last = device.send(Operation.READ, READ);
        }
        Await.until("all were read", () -> session.counters().pending() == MANY);
        device.isCallerKilled = true;

        device.interrupt(last);

        assertThat(device.answer()).isEqualTo(WireTest.answer(last, -Errno.EINTR, new byte[0]));
    }
}
