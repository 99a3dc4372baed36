package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.Operation;
import s3csi.linux.Errno;

/** Answers that are given at once all use the memory of their thread. */
class InlineAnswerTest {
    private static final MemorySegment DATA = Arena.ofAuto().allocate(100);
    private static final byte[] READ =
            new FakeDevice.Bytes().int64(0).int64(0).int32(100).zeroes(20).done();

    private final FakeDevice device = new FakeDevice();

    @AfterEach
    void end() {
        device.fail(Errno.ENODEV);
    }

    /** Each read gives one piece more than the one before, and every third one fails with its pieces in place. */
    @Test
    void nothingOfAnAnswerIsLeftForTheNext() throws Exception {
        OneFile fileSystem = new OneFile() {
            private int reads;

            @Override
            public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
                reads++;
                for (int i = 0; i < reads; i++) {
                    reply.add(DATA, 0, 10);
                }
                if (reads % 3 == 0) {
                    throw new IllegalStateException("on purpose");
                }
                reply.send();
            }
        };
        DeviceSession.start(device, fileSystem, SessionSettings.defaults().withThreads(1), new RecordedEvents());
        device.send(Operation.INIT, WireTest.init(45, 0));
        device.answer();
        for (int i = 1; i <= 10; i++) {
            long unique = device.send(Operation.READ, READ);
            assertThat(device.answer())
                    .as("read %d", i)
                    .isEqualTo(
                            i % 3 == 0
                                    ? WireTest.answer(unique, -Errno.EIO, new byte[0])
                                    : WireTest.answer(unique, 0, new byte[10 * i]));
        }
    }
}
