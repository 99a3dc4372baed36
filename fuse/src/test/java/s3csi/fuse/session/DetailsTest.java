package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.Handover;
import s3csi.fuse.Operation;
import s3csi.fuse.WriteData;
import s3csi.fuse.WriteReply;
import s3csi.fuse.session.FakeDevice.Bytes;
import s3csi.linux.Errno;

/** What is told of each request to whoever wants to log it. */
class DetailsTest {
    private final FakeDevice device = new FakeDevice();
    private final RecordedEvents events = new RecordedEvents();

    private final OneFile fileSystem = new OneFile() {
        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            Handover.toVirtualThread(
                    reply, own -> own.add(Arena.ofAuto().allocate(3), 0, 3).send());
        }

        @Override
        public void write(
                long node, long handle, long offset, WriteData data, int flags, boolean cached, WriteReply reply) {
            reply.written(1);
        }

        @Override
        public void rename(long parent, String name, long newParent, String newName, int flags, EmptyReply reply) {
            reply.error(Errno.EXDEV);
        }
    };

    private void start() throws Exception {
        DeviceSession.start(device, fileSystem, SessionSettings.defaults().withThreads(1), events);
        device.send(Operation.INIT, WireTest.init(45, 0));
        device.answer();
    }

    @AfterEach
    void end() {
        device.fail(Errno.ENODEV);
    }

    private AnsweredRequest answered(Operation operation, Bytes body) throws Exception {
        int before = events.detailed.size();
        long unique = device.send(operation, body.done());
        device.answer();
        Await.until("the request is told of", () -> events.detailed.size() > before);
        AnsweredRequest request = events.detailed.get(before);
        assertThat(request.unique()).isEqualTo(unique);
        assertThat(request.operation()).isEqualTo(operation);
        assertThat(request.node()).isEqualTo(FakeDevice.NODE);
        assertThat(request.pid()).isEqualTo(FakeDevice.PID);
        assertThat(request.nanos()).isPositive();
        return request;
    }

    private static void assertAbout(
            AnsweredRequest request, @Nullable String name, @Nullable String newName, long offset, long size) {
        assertThat(request.name()).isEqualTo(name);
        assertThat(request.newName()).isEqualTo(newName);
        assertThat(request.offset()).isEqualTo(offset);
        assertThat(request.size()).isEqualTo(size);
    }

    private static void assertResult(AnsweredRequest request, long bytes, int errno) {
        assertThat(request.bytes()).isEqualTo(bytes);
        assertThat(request.errno()).isEqualTo(errno);
    }

    @Test
    void aRequestIsToldWithWhatItIsAboutAndWhatCameOfIt() throws Exception {
        events.wantsDetails = true;
        start();
        Await.until("INIT is told of", () -> events.detailed.size() == 1);

        AnsweredRequest read = answered(
                Operation.READ,
                new Bytes().int64(1).int64(4096).int32(100).int32(0).zeroes(16));
        assertAbout(read, null, null, 4096, 100);
        assertResult(read, 3, 0);

        AnsweredRequest write = answered(
                Operation.WRITE,
                new Bytes().int64(1).int64(7).int32(2).int32(0).zeroes(16).raw(new byte[] {1, 2}));
        assertAbout(write, null, null, 7, 2);
        assertResult(write, 1, 0);

        AnsweredRequest lookup = answered(Operation.LOOKUP, new Bytes().text("nothing"));
        assertAbout(lookup, "nothing", null, 0, 0);
        assertResult(lookup, 0, Errno.ENOENT);

        AnsweredRequest rename =
                answered(Operation.RENAME, new Bytes().int64(1).text("old").text("new"));
        assertAbout(rename, "old", "new", 0, 0);
        assertResult(rename, 0, Errno.EXDEV);

        AnsweredRequest after = answered(Operation.GETATTR, new Bytes().zeroes(16));
        assertAbout(after, null, null, 0, 0);
    }

    @Test
    void nothingIsToldWhileNobodyWantsIt() throws Exception {
        start();
        device.send(Operation.LOOKUP, new Bytes().text("nothing").done());
        device.answer();
        // The one thread is through with the first request when it answers the second.
        device.send(Operation.GETATTR, new Bytes().zeroes(16).done());
        device.answer();
        assertThat(events.detailed).isEmpty();
    }
}
