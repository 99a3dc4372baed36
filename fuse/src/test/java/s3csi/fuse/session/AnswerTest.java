package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.Operation;
import s3csi.fuse.StatisticsReply;
import s3csi.fuse.session.FakeDevice.Bytes;
import s3csi.linux.Errno;

/** Exactly one answer to each request, whoever gives it and whenever. */
class AnswerTest {
    private static final MemorySegment DATA = Arena.global().allocate(100);
    private static final byte[] READ =
            new Bytes().int64(1).int64(0).int32(100).int32(0).zeroes(16).done();

    private final FakeDevice device = new FakeDevice();
    private final RecordedEvents events = new RecordedEvents();
    private final BlockingQueue<DataReply> replies = new LinkedBlockingQueue<>();
    private final BlockingQueue<DataReply> escaped = new LinkedBlockingQueue<>();

    /** Hands every READ over to the test. */
    private final OneFile fileSystem = new OneFile() {
        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            escaped.add(reply);
            replies.add(reply.later());
        }

        @Override
        public void statfs(long node, StatisticsReply reply) {
            reply.error(Errno.ENOTCONN);
        }
    };

    private FuseSession start(int threads) throws Exception {
        FuseSession session = DeviceSession.start(
                device, fileSystem, SessionSettings.defaults().withThreads(threads), events);
        device.send(Operation.INIT, WireTest.init(45, 0));
        device.answer();
        return session;
    }

    @AfterEach
    void end() {
        device.fail(Errno.ENODEV);
    }

    @Test
    void aSecondAnswerIsAnErrorAndIsNotSent() throws Exception {
        FuseSession session = start(1);
        long unique = device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        assertThat(session.counters().pending()).isEqualTo(1);
        reply.add(DATA, 0, 1).send();
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, 0, new byte[1]));
        assertThatThrownBy(reply::send).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> reply.error(Errno.EIO)).isInstanceOf(IllegalStateException.class);
        assertThat(reply.abandon(Errno.EINTR)).isFalse();
        assertThat(device.hasAnswer()).isFalse();
        assertThat(session.counters().pending()).isZero();
    }

    @Test
    void whatWasHandedOverCannotBeAnsweredByTheFirstObject() throws Exception {
        start(1);
        device.send(Operation.READ, READ);
        replies.take();
        DataReply inline = escaped.take();
        assertThatThrownBy(() -> inline.error(Errno.EIO)).hasMessageContaining("another thread");
        assertThatThrownBy(inline::later).hasMessageContaining("another thread");
        assertThat(device.hasAnswer()).isFalse();
    }

    @Test
    void theAnswerOfWhomAnotherGaveUpOnIsDropped() throws Exception {
        FuseSession session = start(1);
        long unique = device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        reply.add(DATA, 0, 100);
        assertThat(reply.abandon(Errno.EINTR)).isTrue();
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, -Errno.EINTR, new byte[0]));
        assertThat(reply.send()).isFalse();
        assertThat(device.hasAnswer()).isFalse();
        assertThat(session.counters().pending()).isZero();
        assertThat(session.counters().errors()).isEqualTo(1);
    }

    @Test
    void ofManyWhoAnswerAtOnceOneDoes() throws Exception {
        start(1);
        for (int round = 0; round < 200; round++) {
            device.send(Operation.READ, READ);
            DataReply reply = replies.take();
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger sent = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    await(go);
                    if (reply.abandon(Errno.EINTR)) {
                        sent.incrementAndGet();
                    }
                }));
            }
            threads.add(Thread.ofPlatform().start(() -> {
                await(go);
                try {
                    if (reply.add(DATA, 0, 10).send()) {
                        sent.incrementAndGet();
                    }
                } catch (IllegalStateException e) {
                    throw new AssertionError("only given-up answers compete with this one", e);
                }
            }));
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(sent.get()).isEqualTo(1);
            assertThat(device.answer()).hasSizeBetween(16, 26);
            assertThat(device.hasAnswer()).isFalse();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anInterruptReachesTheRequestAndIsNotAnswered() throws Exception {
        FuseSession session = start(1);
        long unique = device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        AtomicInteger times = new AtomicInteger();
        reply.onInterrupt(times::incrementAndGet);
        assertThat(reply.isInterrupted()).isFalse();
        device.send(Operation.INTERRUPT, new Bytes().int64(unique).done());
        device.send(Operation.INTERRUPT, new Bytes().int64(unique).done());
        long next = device.send(Operation.STATFS, new byte[0]);
        assertThat(device.answer()).isEqualTo(WireTest.answer(next, -Errno.ENOTCONN, new byte[0]));
        assertThat(reply.isInterrupted()).isTrue();
        assertThat(times.get()).isEqualTo(1);
        assertThat(session.counters().interrupts()).isEqualTo(2);
        reply.error(Errno.EINTR);
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, -Errno.EINTR, new byte[0]));
        AtomicInteger late = new AtomicInteger();
        reply.onInterrupt(late::incrementAndGet);
        assertThat(late.get()).as("an interrupt that came before is not lost").isEqualTo(1);
    }

    @Test
    void aStormOfForgetsPinsNothing() throws Exception {
        FuseSession session = start(2);
        Bytes body = new Bytes().int32(1000).int32(0);
        for (int i = 0; i < 1000; i++) {
            body.int64(OneFile.FILE).int64(1);
        }
        byte[] batch = body.done();
        for (int i = 0; i < 1000; i++) {
            device.send(Operation.BATCH_FORGET, batch);
        }
        Await.until("all are forgotten", () -> fileSystem.forgotten.get() == 1_000_000);
        Await.until("all are counted", () -> session.counters().forgets() == 1_000_000);
        assertThat(session.counters().pending()).isZero();
        assertThat(session.counters().keptBytes()).isZero();
        assertThat(device.hasAnswer()).isFalse();
    }

    @Test
    void resentRequestsSaySo() throws Exception {
        start(1);
        device.sendRaw(FakeDevice.request(Operation.READ.code(), 1L << 63 | 8, READ));
        DataReply reply = replies.take();
        assertThat(reply.isResent()).isTrue();
        reply.send();
        assertThat(device.answer()).isEqualTo(WireTest.answer(1L << 63 | 8, 0, new byte[0]));
        device.send(Operation.READ, READ);
        assertThat(replies.take().isResent()).isFalse();
    }

    @Test
    void errorNumbersThatTheKernelWouldNotTakeAreRefused() throws Exception {
        start(1);
        device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        assertThatThrownBy(() -> reply.error(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reply.error(-5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reply.error(512)).isInstanceOf(IllegalArgumentException.class);
        assertThat(reply.isAnswered()).isFalse();
        reply.error(Errno.EIO);
    }

    @Test
    void anAnswerAfterTheEndGoesNowhere() throws Exception {
        FuseSession session = start(1);
        device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        device.fail(Errno.ENODEV);
        assertThat(session.awaitEnd(Mounted.LONG)).contains(new SessionEnd.Unmounted());
        assertThat(reply.isInterrupted()).isTrue();
        reply.error(Errno.EIO);
        assertThat(session.counters().pending()).isZero();
    }
}
