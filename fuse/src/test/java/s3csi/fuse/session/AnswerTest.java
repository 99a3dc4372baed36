package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.EmptyReply;
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

    /** Whether a READ fails after it was handed over. */
    private volatile boolean isBroken;

    private final BlockingQueue<EmptyReply> changing = new LinkedBlockingQueue<>();

    /** Hands every READ, FLUSH and RELEASE over to the test. */
    private final OneFile fileSystem = new OneFile() {
        @Override
        public void flush(long node, long handle, long lockOwner, EmptyReply reply) {
            changing.add(reply.later());
        }

        @Override
        public void release(long node, long handle, int flags, EmptyReply reply) {
            changing.add(reply.later());
        }

        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            escaped.add(reply);
            replies.add(reply.later());
            if (isBroken) {
                throw new IllegalStateException("on purpose");
            }
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

    /** Between handing a request over and starting whoever answers it; nobody else would, and its caller would wait for ever. */
    @Test
    void aHandlerThatFailsAfterHandingOverIsAnsweredFor() throws Exception {
        FuseSession session = start(1);
        isBroken = true;
        long unique = device.send(Operation.READ, READ);

        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, -Errno.EIO, new byte[0]));
        assertThat(replies.take().isAnswered()).isTrue();
        assertThat(session.counters().handlerFailures()).isEqualTo(1);
    }

    @Test
    void theAnswerOfWhomAnotherGaveUpOnIsDropped() throws Exception {
        FuseSession session = start(1);
        long unique = device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        reply.add(DATA, 0, 100);
        assertThat(reply.abandon(Errno.EINTR)).isTrue();
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, -Errno.EINTR, new byte[0]));
        // Whoever was given up on may never answer.
        assertThat(session.counters().pending()).isZero();
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
    void aSignalThatDoesNotKillCancelsNothing() throws Exception {
        FuseSession session = start(1);
        long unique = device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        AtomicInteger times = new AtomicInteger();
        reply.onCancel(times::incrementAndGet);
        device.interrupt(unique);
        Await.until("the caller is looked at again and again", () -> device.looks.get() >= 3);
        assertThat(reply.isCancelled()).isFalse();
        assertThat(times.get()).isZero();
        assertThat(device.hasAnswer()).isFalse();
        assertThat(reply.add(DATA, 0, 1).send()).isTrue();
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, 0, new byte[1]));
        assertThat(session.counters().interrupts()).isEqualTo(1);
        assertThat(session.counters().cancelled()).isZero();
    }

    @Test
    void theRequestOfAKilledProcessIsCancelledOnce() throws Exception {
        FuseSession session = start(1);
        device.isCallerKilled = true;
        long unique = device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        AtomicInteger times = new AtomicInteger();
        reply.onCancel(times::incrementAndGet);
        assertThat(reply.isCancelled()).isFalse();
        device.interrupt(unique);
        device.interrupt(unique);
        Await.until("both interrupts were dealt with", () -> session.counters().cancelled() == 2);
        assertThat(reply.isCancelled()).isTrue();
        assertThat(times.get()).isEqualTo(1);
        assertThat(device.hasAnswer()).as("the answer is up to the handler").isFalse();
        reply.error(Errno.EINTR);
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, -Errno.EINTR, new byte[0]));
        AtomicInteger late = new AtomicInteger();
        reply.onCancel(late::incrementAndGet);
        assertThat(late.get()).as("a cancellation that came before is not lost").isEqualTo(1);
    }

    /** There is no thread while there is nothing to watch, so each of these may need a new one. */
    @Test
    void whoIsKilledLaterIsNoticedToo() throws Exception {
        start(1);
        device.isCallerKilled = true;
        for (int round = 0; round < 100; round++) {
            long unique = device.send(Operation.READ, READ);
            DataReply reply = replies.take();
            device.interrupt(unique);
            Await.until("its request is cancelled", reply::isCancelled);
            reply.error(Errno.EINTR);
            device.answer();
        }
    }

    /** The kernel sends one interrupt for each request, whatever comes after it. */
    @Test
    void aProcessThatIsKilledAfterAnotherSignalIsNoticed() throws Exception {
        start(1);
        long unique = device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        device.interrupt(unique);
        Await.until("the caller lives", () -> device.looks.get() >= 2);
        device.isCallerKilled = true;
        Await.until("its request is cancelled", reply::isCancelled);
        reply.abandon(Errno.EINTR);
    }

    @Test
    void anInterruptThatOvertakesItsRequestIsNotLost() throws Exception {
        start(1);
        device.isCallerKilled = true;
        for (int round = 0; round < 3; round++) {
            device.interrupt(device.nextUnique());
            // Most often the first look comes before the request now; whenever it comes, the request is cancelled.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            device.send(Operation.READ, READ);
            DataReply reply = replies.take();
            Await.until("the request is cancelled", reply::isCancelled);
            reply.abandon(Errno.EINTR);
        }
    }

    @Test
    void aProcessThatCannotBeSeenIsNotLookedAt() throws Exception {
        FuseSession session = start(1);
        device.isCallerKilled = true;
        long unseen = device.sendUnseen(Operation.READ, READ);
        DataReply reply = replies.take();
        device.interrupt(unseen);
        long seen = device.send(Operation.READ, READ);
        DataReply other = replies.take();
        device.interrupt(seen);
        Await.until("the other one is cancelled", other::isCancelled);
        assertThat(reply.isCancelled()).isFalse();
        assertThat(device.looks.get()).isEqualTo(1);
        assertThat(reply.send()).isTrue();
        other.abandon(Errno.EINTR);
        assertThat(session.counters().cancelled()).isEqualTo(1);
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
        assertThat(reply.isCancelled()).isTrue();
        reply.error(Errno.EIO);
        assertThat(session.counters().pending()).isZero();
    }

    /** The kernel gives it to the next process; an answer now, be it an error, would be the last word on it. */
    @Test
    void whatIsLeftWhenTheSessionStopsIsNotAnswered() throws Exception {
        FuseSession session = start(1);
        device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        reply.onCancel(() -> reply.error(Errno.EINTR));
        Thread stopping = Thread.ofPlatform().start(() -> stop(session));
        Await.until("the thread that reads has noticed", () -> {
            // Nothing else wakes a thread that reads a device which is none.
            device.fail(Errno.EINTR);
            return !stopping.isAlive();
        });

        assertThat(session.awaitEnd(Mounted.LONG)).contains(new SessionEnd.Stopped());
        assertThat(reply.isCancelled()).isTrue();
        assertThat(device.hasAnswer()).isFalse();
        assertThat(session.counters().pending()).isZero();
    }

    private static void stop(FuseSession session) {
        try {
            session.stop(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whoeverWaitsForAnAnswerThatTheKernelRefusesGetsAnError() throws Exception {
        start(1);
        long unique = device.send(Operation.READ, READ);
        device.refuseAnswer(Errno.EINVAL);
        assertThat(replies.take().add(DATA, 0, 1).send()).isFalse();
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, 0, new byte[1]));
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, -Errno.EIO, new byte[0]));
        assertThat(events.refused).containsExactly("READ " + Errno.EINVAL);
    }

    @Test
    void anAnswerThatNobodyWaitsForIsNotGivenTwice() throws Exception {
        start(1);
        for (int errno : new int[] {Errno.ENOENT, Errno.ENODEV, Errno.ECONNABORTED}) {
            long unique = device.send(Operation.READ, READ);
            device.refuseAnswer(errno);
            assertThat(replies.take().add(DATA, 0, 1).send()).isFalse();
            assertThat(device.answer()).isEqualTo(WireTest.answer(unique, 0, new byte[1]));
            assertThat(device.hasAnswer()).isFalse();
        }
        assertThat(events.refused).isEmpty();
    }

    /** A writer that has the last bytes of a file in its hands is through only when they are stored. */
    @Test
    void theEndOfTheMountInterruptsThoseWhoOnlyLook() throws Exception {
        FuseSession session = start(1);
        device.send(Operation.READ, READ);
        device.send(Operation.FLUSH, new byte[24]);
        device.send(Operation.RELEASE, new byte[24]);
        DataReply reading = replies.take();
        EmptyReply flushing = changing.take();
        EmptyReply releasing = changing.take();

        device.fail(Errno.ENODEV);
        assertThat(session.awaitEnd(Mounted.LONG)).contains(new SessionEnd.Unmounted());

        assertThat(reading.isCancelled()).isTrue();
        assertThat(flushing.isCancelled()).isFalse();
        assertThat(releasing.isCancelled()).isFalse();
        reading.error(Errno.EINTR);
        flushing.done();
        releasing.done();
        assertThat(session.counters().pending()).isZero();
    }

    @Test
    void moreThanWasAskedForIsRefusedAlsoPieceByPiece() throws Exception {
        start(1);
        long unique = device.send(Operation.READ, READ);
        DataReply reply = replies.take();
        reply.add(DATA, 0, 60);
        assertThatThrownBy(() -> reply.add(DATA, 0, 41)).isInstanceOf(IllegalArgumentException.class);
        reply.add(DATA, 0, 40).send();
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, 0, new byte[100]));
    }

    @Test
    void whoListensAndFailsSpoilsNoAnswer() throws Exception {
        FuseSession session = DeviceSession.start(
                device, fileSystem, SessionSettings.defaults().withThreads(1), new SessionEvents() {
                    @Override
                    public void answered(Operation operation, long nanos, long bytes, int errno) {
                        throw new IllegalStateException("on purpose");
                    }
                });
        device.send(Operation.INIT, WireTest.init(45, 0));
        device.answer();
        for (int i = 0; i < 2; i++) {
            long unique = device.send(Operation.READ, READ);
            assertThat(replies.take().add(DATA, 0, 1).send()).isTrue();
            assertThat(device.answer()).isEqualTo(WireTest.answer(unique, 0, new byte[1]));
        }
        assertThat(session.counters().pending()).isZero();
        assertThat(session.counters().handlerFailures()).isEqualTo(3);
    }
}
