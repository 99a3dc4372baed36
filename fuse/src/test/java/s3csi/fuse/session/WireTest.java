package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import s3csi.fuse.Operation;
import s3csi.fuse.session.FakeDevice.Bytes;
import s3csi.linux.Errno;

/** Every operation byte by byte: what the kernel sends, what the file system is asked, what the kernel gets. */
class WireTest {
    private static final long OFFERED = 0x7fff_ffffL | 0xff_0000_0000L;

    private final FakeDevice device = new FakeDevice();
    private final RecordingFileSystem recording = new RecordingFileSystem();
    private final RecordedEvents events = new RecordedEvents();

    /** A request, the call it becomes, and the body of the answer. */
    record Case(int minor, Operation operation, Bytes body, String call, Bytes answer) {
        @Override
        public String toString() {
            return operation + " of 7." + minor;
        }
    }

    private void start(int minor) throws Exception {
        DeviceSession.start(
                device, recording.fileSystem(), SessionSettings.defaults().withThreads(1), events);
        device.send(Operation.INIT, init(minor, OFFERED));
        device.answer();
    }

    static byte[] init(int minor, long offered) {
        Bytes body = new Bytes().int32(7).int32(minor).int32(131072).int32((int) offered);
        if (minor >= 36) {
            body.int32((int) (offered >>> 32)).zeroes(44);
        }
        return body.done();
    }

    @AfterEach
    void end() {
        device.fail(Errno.ENODEV);
    }

    private static Bytes bytes() {
        return new Bytes();
    }

    private static Bytes attributes(int minor) {
        Bytes bytes = bytes().int64(11).int64(12).int64(13).int64(14).int64(16).int64(18);
        bytes.int32(15)
                .int32(17)
                .int32(19)
                .int32(0100644)
                .int32(20)
                .int32(21)
                .int32(22)
                .int32(23);
        return minor < 9 ? bytes : bytes.int32(24).int32(0);
    }

    private static Bytes entry(int minor) {
        return bytes().int64(31)
                .int64(32)
                .int64(33)
                .int64(35)
                .int32(34)
                .int32(36)
                .raw(attributes(minor).done());
    }

    private static Bytes attributesAnswer(int minor) {
        return bytes().int64(41).int32(42).int32(0).raw(attributes(minor).done());
    }

    private static Bytes opened() {
        return bytes().int64(51).int32(52).int32(0);
    }

    private static Bytes nothing() {
        return bytes();
    }

    static Stream<Case> cases() {
        int now = 45;
        Bytes setattr = FakeDevice.setattr();
        String changes = "AttributeChanges[valid=2047, handle=1, size=2, accessed=1970-01-01T00:00:04.000000007Z,"
                + " modified=1970-01-01T00:00:05.000000008Z, changed=1970-01-01T00:00:06.000000009Z, mode=10, uid=11,"
                + " gid=12]";
        Bytes listing = bytes().int64(91)
                .int64(1)
                .int32(2)
                .int32(4)
                .raw(new byte[] {'a', 'b'})
                .zeroes(6);
        listing.int64(92)
                .int64(2)
                .int32(8)
                .int32(8)
                .raw("12345678".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        Bytes plus = bytes().zeroes(128)
                .int64(91)
                .int64(1)
                .int32(2)
                .int32(4)
                .raw(new byte[] {'.', '.'})
                .zeroes(6);
        plus.raw(entry(now).done())
                .int64(11)
                .int64(2)
                .int32(1)
                .int32(8)
                .raw(new byte[] {'c'})
                .zeroes(7);
        Bytes statistics = bytes().int64(71)
                .int64(72)
                .int64(73)
                .int64(74)
                .int64(75)
                .int32(76)
                .int32(77)
                .int32(78)
                .zeroes(28);
        Bytes readIn =
                bytes().int64(1).int64(2).int32(100).int32(0).int64(0).int32(3).int32(0);
        Bytes writeIn = bytes().int64(1)
                .int64(2)
                .int32(3)
                .int32(1)
                .int64(0)
                .int32(4)
                .int32(0)
                .raw(new byte[] {'x', 'y', 'z'});
        byte[] four = {'2', '3', '4', '0'};
        byte[] value = {'v', 'a', 'l', 'u', 'e'};
        return Stream.of(
                new Case(now, Operation.LOOKUP, bytes().text("näme"), "lookup(42, näme)", entry(now)),
                new Case(
                        now,
                        Operation.GETATTR,
                        bytes().int32(1).int32(0).int64(5),
                        "getattr(42, true, 5)",
                        attributesAnswer(now)),
                new Case(now, Operation.SETATTR, setattr, "setattr(42, " + changes + ")", attributesAnswer(now)),
                new Case(
                        now,
                        Operation.READLINK,
                        nothing(),
                        "readlink(42)",
                        bytes().raw("to/where".getBytes(java.nio.charset.StandardCharsets.US_ASCII))),
                new Case(now, Operation.SYMLINK, bytes().text("a").text("b/c"), "symlink(42, a, b/c)", entry(now)),
                new Case(
                        now,
                        Operation.MKNOD,
                        bytes().int32(0100600).int32(1).int32(022).int32(0).text("n"),
                        "mknod(42, n, 33152, 1, 18)",
                        entry(now)),
                new Case(
                        now,
                        Operation.MKDIR,
                        bytes().int32(0700).int32(022).text("d"),
                        "mkdir(42, d, 448, 18)",
                        entry(now)),
                new Case(now, Operation.UNLINK, bytes().text("u"), "unlink(42, u)", nothing()),
                new Case(now, Operation.RMDIR, bytes().text("r"), "rmdir(42, r)", nothing()),
                new Case(
                        now,
                        Operation.RENAME,
                        bytes().int64(9).text("old").text("new"),
                        "rename(42, old, 9, new, 0)",
                        nothing()),
                new Case(
                        now,
                        Operation.RENAME2,
                        bytes().int64(9).int32(2).int32(0).text("old").text("new"),
                        "rename(42, old, 9, new, 2)",
                        nothing()),
                new Case(now, Operation.LINK, bytes().int64(9).text("l"), "link(9, 42, l)", entry(now)),
                new Case(now, Operation.OPEN, bytes().int32(0100001).int32(0), "open(42, 32769)", opened()),
                new Case(now, Operation.READ, readIn, "read(42, 1, 2, 100, 3)", bytes().raw(four)),
                new Case(
                        now,
                        Operation.WRITE,
                        writeIn,
                        "write(42, 1, 2, xyz#3, 4, true)",
                        bytes().int32(61).int32(0)),
                new Case(now, Operation.STATFS, nothing(), "statfs(42)", statistics),
                new Case(
                        now,
                        Operation.RELEASE,
                        bytes().int64(1).int32(2).int32(1).int64(3),
                        "release(42, 1, 2)",
                        nothing()),
                new Case(now, Operation.FSYNC, bytes().int64(1).int32(1).int32(0), "fsync(42, 1, true)", nothing()),
                new Case(
                        now,
                        Operation.SETXATTR,
                        bytes().int32(2).int32(1).text("user.a").raw(new byte[] {1, 2}),
                        "setxattr(42, user.a, [1, 2], 1)",
                        nothing()),
                new Case(
                        now,
                        Operation.GETXATTR,
                        bytes().int32(0).int32(0).text("user.a"),
                        "getxattr(42, user.a, 0)",
                        bytes().int32(5).int32(0)),
                new Case(
                        now,
                        Operation.GETXATTR,
                        bytes().int32(64).int32(0).text("user.a"),
                        "getxattr(42, user.a, 64)",
                        bytes().raw(value)),
                // Room for exactly what there is.
                new Case(
                        now,
                        Operation.GETXATTR,
                        bytes().int32(5).int32(0).text("user.a"),
                        "getxattr(42, user.a, 5)",
                        bytes().raw(value)),
                new Case(now, Operation.LISTXATTR, bytes().int32(64).int32(0), "listxattr(42, 64)", bytes().raw(value)),
                new Case(now, Operation.REMOVEXATTR, bytes().text("user.a"), "removexattr(42, user.a)", nothing()),
                new Case(
                        now,
                        Operation.FLUSH,
                        bytes().int64(1).int32(0).int32(0).int64(8),
                        "flush(42, 1, 8)",
                        nothing()),
                new Case(now, Operation.OPENDIR, bytes().int32(0200000).int32(0), "opendir(42, 65536)", opened()),
                new Case(now, Operation.READDIR, readIn, "readdir(42, 1, 2)", listing),
                new Case(
                        now,
                        Operation.READDIRPLUS,
                        bytes().int64(1).int64(2).int32(4096).int32(0).int64(0).int64(0),
                        "readdirplus(42, 1, 2)",
                        plus),
                new Case(
                        now,
                        Operation.RELEASEDIR,
                        bytes().int64(1).int32(0).int32(0).int64(0),
                        "releasedir(42, 1)",
                        nothing()),
                new Case(
                        now,
                        Operation.FSYNCDIR,
                        bytes().int64(1).int32(0).int32(0),
                        "fsyncdir(42, 1, false)",
                        nothing()),
                new Case(now, Operation.ACCESS, bytes().int32(4).int32(0), "access(42, 4)", nothing()),
                new Case(
                        now,
                        Operation.CREATE,
                        bytes().int32(0101).int32(0100644).int32(022).int32(0).text("c"),
                        "create(42, c, 65, 33188, 18)",
                        bytes().raw(entry(now).done()).raw(opened().done())),
                new Case(
                        now,
                        Operation.FALLOCATE,
                        bytes().int64(1).int64(2).int64(3).int32(4).int32(0),
                        "fallocate(42, 1, 2, 3, 4)",
                        nothing()),
                new Case(
                        now,
                        Operation.LSEEK,
                        bytes().int64(1).int64(2).int32(3).int32(0),
                        "lseek(42, 1, 2, 3)",
                        bytes().int64(81)),
                new Case(
                        now,
                        Operation.COPY_FILE_RANGE,
                        bytes().int64(1)
                                .int64(2)
                                .int64(3)
                                .int64(4)
                                .int64(5)
                                .int64(6)
                                .int64(0),
                        "copyFileRange(42, 1, 2, 3, 4, 5, 6)",
                        bytes().int32(61).int32(0)),
                new Case(
                        now,
                        Operation.COPY_FILE_RANGE_64,
                        bytes().int64(1)
                                .int64(2)
                                .int64(3)
                                .int64(4)
                                .int64(5)
                                .int64(6)
                                .int64(0),
                        "copyFileRange(42, 1, 2, 3, 4, 5, 6)",
                        bytes().int64(61)),
                new Case(now, Operation.SYNCFS, bytes().int64(0), "syncfs(42)", nothing()),
                // Kernels of 2006 to 2010 send less and want less.
                new Case(8, Operation.LOOKUP, bytes().text("a"), "lookup(42, a)", entry(8)),
                new Case(8, Operation.GETATTR, nothing(), "getattr(42, false, 0)", attributesAnswer(8)),
                new Case(
                        8,
                        Operation.READ,
                        bytes().int64(1).int64(2).int32(100).int32(0),
                        "read(42, 1, 2, 100, 0)",
                        bytes().raw(four)),
                new Case(
                        8,
                        Operation.WRITE,
                        bytes().int64(1).int64(2).int32(1).int32(0).raw(new byte[] {'x'}),
                        "write(42, 1, 2, x#1, 0, false)",
                        bytes().int32(61).int32(0)),
                new Case(7, Operation.RELEASE, bytes().int64(1).int32(2).int32(0), "release(42, 1, 2)", nothing()),
                new Case(6, Operation.FLUSH, bytes().int64(1).int32(0).int32(0), "flush(42, 1, 0)", nothing()),
                new Case(
                        11,
                        Operation.MKNOD,
                        bytes().int32(0100600).int32(1).text("n"),
                        "mknod(42, n, 33152, 1, 0)",
                        entry(11)),
                new Case(
                        11, Operation.MKDIR, bytes().int32(0700).int32(0).text("d"), "mkdir(42, d, 448, 0)", entry(11)),
                new Case(
                        11,
                        Operation.CREATE,
                        bytes().int32(0101).int32(0100644).text("c"),
                        "create(42, c, 65, 33188, 0)",
                        bytes().raw(entry(11).done()).raw(opened().done())));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isReadAndAnswered(Case each) throws Exception {
        start(each.minor());
        long unique = device.send(each.operation(), each.body().done());
        assertThat(device.answer()).isEqualTo(answer(unique, 0, each.answer().done()));
        assertThat(recording.calls).containsExactly(each.call(), "caller 1001 1002 1003");
        assertThat(events.failures).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isAnsweredEvenIfItIsCutOff(Case each) throws Exception {
        start(each.minor());
        byte[] whole = each.body().done();
        for (int length = 0; length < whole.length; length++) {
            long unique = device.send(each.operation(), java.util.Arrays.copyOf(whole, length));
            byte[] answer = device.answer();
            assertThat(java.util.Arrays.copyOfRange(answer, 8, 16))
                    .isEqualTo(bytes().int64(unique).done());
        }
        assertThat(events.failures).isEmpty();
        assertThat(device.hasAnswer()).isFalse();
    }

    static byte[] answer(long unique, int error, byte[] body) {
        return bytes().int32(16 + body.length)
                .int32(error)
                .int64(unique)
                .raw(body)
                .done();
    }

    @Test
    void coversEveryOperationThatReachesAFileSystem() {
        List<Operation> never = List.of(
                Operation.INIT,
                Operation.DESTROY,
                Operation.FORGET,
                Operation.BATCH_FORGET,
                Operation.INTERRUPT,
                Operation.NOTIFY_REPLY,
                Operation.GETLK,
                Operation.SETLK,
                Operation.SETLKW,
                Operation.BMAP,
                Operation.IOCTL,
                Operation.POLL,
                Operation.SETUPMAPPING,
                Operation.REMOVEMAPPING,
                Operation.TMPFILE,
                Operation.STATX);
        List<Operation> covered = cases().map(Case::operation).distinct().toList();
        assertThat(Stream.of(Operation.values()).filter(each -> !never.contains(each)))
                .allMatch(covered::contains);
    }

    @Test
    void operationsThatAreNotServedAreRefusedForGood() throws Exception {
        start(45);
        for (int opcode : new int[] {31, 32, 33, 37, 39, 40, 48, 49, 51, 52, 54, 4096, -1, 7, 19}) {
            long unique = device.send(opcode, new byte[64]);
            assertThat(device.answer()).isEqualTo(answer(unique, -Errno.ENOSYS, new byte[0]));
        }
        assertThat(recording.calls).isEmpty();
    }

    @Test
    void forgetsHaveNoAnswer() throws Exception {
        start(45);
        device.send(Operation.FORGET, bytes().int64(3).done());
        device.send(
                Operation.BATCH_FORGET,
                bytes().int32(2).int32(0).int64(7).int64(1).int64(8).int64(2).done());
        long unique = device.send(Operation.STATFS, new byte[0]);
        assertThat(device.answer())
                .startsWith(bytes().int32(96).int32(0).int64(unique).done());
        assertThat(recording.calls).startsWith("forget(42, 3)", "forget(7, 1)", "forget(8, 2)");
    }

    @Test
    void requestsWithoutAHeaderOrWithAWrongLengthAreDroppedAndReported() throws Exception {
        start(45);
        device.sendRaw(new byte[12]);
        device.sendRaw(
                FakeDevice.request(Operation.STATFS.code(), 5, new byte[0]).clone());
        byte[] wrong = FakeDevice.request(Operation.STATFS.code(), 7, new byte[0]);
        wrong[0] = 100;
        device.sendRaw(wrong);
        long unique = device.send(Operation.STATFS, new byte[0]);
        assertThat(device.answer())
                .startsWith(bytes().int32(96).int32(0).int64(5).done());
        assertThat(device.answer())
                .startsWith(bytes().int32(96).int32(0).int64(unique).done());
        assertThat(events.malformed).hasSize(2);
    }

    @Test
    void aValueThatDoesNotFitIsRefused() throws Exception {
        start(45);
        long unique = device.send(
                Operation.GETXATTR, bytes().int32(4).int32(0).text("user.a").done());
        assertThat(device.answer()).isEqualTo(answer(unique, -Errno.ERANGE, new byte[0]));
    }

    @Test
    void destroyIsAcknowledged() throws Exception {
        start(45);
        long unique = device.send(Operation.DESTROY, new byte[0]);
        assertThat(device.answer()).isEqualTo(answer(unique, 0, new byte[0]));
    }

    @Test
    void anInterruptOfSomethingUnknownIsIgnored() throws Exception {
        start(45);
        device.send(Operation.INTERRUPT, bytes().int64(4711).done());
        long unique = device.send(Operation.DESTROY, new byte[0]);
        assertThat(device.answer()).isEqualTo(answer(unique, 0, new byte[0]));
    }
}
