package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.fuse.Negotiated;
import s3csi.fuse.Operation;
import s3csi.fuse.WriteData;
import s3csi.fuse.WriteReply;
import s3csi.fuse.session.FakeDevice.Bytes;
import s3csi.linux.Errno;

/** A session that goes on with what another one settled keeps to it, whatever it would have asked for itself. */
class ResumeTest {
    private static final int SMALL = 4096;
    private static final int AGREED = 32 << 10;

    private final FakeDevice device = new FakeDevice();

    @AfterEach
    void end() {
        device.fail(Errno.ENODEV);
    }

    @Test
    void writesAsLargeAsTheFirstSessionAgreedToAreTaken() throws Exception {
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        OneFile fileSystem = new OneFile() {
            @Override
            public void write(
                    long node, long handle, long offset, WriteData data, int flags, boolean cached, WriteReply reply) {
                sizes.add(data.size());
                reply.written(data.size());
            }
        };
        SessionSettings settings = SessionSettings.defaults().withThreads(1).withMaxWrite(SMALL);
        Negotiated terms = new Negotiated(45, 0, 131072, AGREED, 256, 64);

        FuseSession session = DeviceSession.resume(device, fileSystem, settings, new SessionEvents() {}, terms);

        assertThat(session.awaitStarted(Mounted.LONG)).contains(terms);
        Bytes write = new Bytes()
                .int64(77)
                .int64(0)
                .int32(AGREED)
                .int32(0)
                .int64(0)
                .int32(0)
                .int32(0)
                .zeroes(AGREED);
        long unique = device.send(Operation.WRITE, write.done());
        assertThat(device.answer())
                .isEqualTo(WireTest.answer(
                        unique, 0, new Bytes().int32(AGREED).int32(0).done()));
        assertThat(sizes).containsExactly(AGREED);
    }
}
