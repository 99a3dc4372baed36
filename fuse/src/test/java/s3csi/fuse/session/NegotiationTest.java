package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.fuse.Capability;
import s3csi.fuse.KernelWishes;
import s3csi.fuse.Negotiated;
import s3csi.fuse.Operation;
import s3csi.fuse.session.FakeDevice.Bytes;
import s3csi.fuse.wire.InitRequest;
import s3csi.linux.Errno;

class NegotiationTest {
    private static final SessionSettings SETTINGS = SessionSettings.defaults().withThreads(1);
    private static final KernelWishes DEMANDING = KernelWishes.DEFAULTS.withRequired(Set.of(Capability.ATOMIC_O_TRUNC));
    private static final long ALL = -1L;

    private final FakeDevice device = new FakeDevice();

    @AfterEach
    void end() {
        device.fail(Errno.ENODEV);
    }

    private static Negotiation negotiate(InitRequest kernel) {
        return Negotiation.of(kernel, SETTINGS, 4096);
    }

    private FuseSession start(SessionSettings settings) throws Exception {
        return DeviceSession.start(device, new RecordingFileSystem().fileSystem(), settings, new SessionEvents() {});
    }

    @Test
    void takesWhatIsWantedAndOffered() {
        long offered = Capability.ASYNC_READ.mask() | Capability.MAX_PAGES.mask() | Capability.WRITEBACK_CACHE.mask();
        assertThat(negotiate(new InitRequest(7, 31, 131072, offered)))
                .isEqualTo(new Negotiation.Agreed(new Negotiated(
                        31, Capability.ASYNC_READ.mask() | Capability.MAX_PAGES.mask(), 131072, 1 << 20, 256, 64)));
    }

    @Test
    void theSecondFlagWordBringsItsOwnFlag() {
        Negotiation.Agreed agreed = (Negotiation.Agreed) negotiate(new InitRequest(7, 45, 131072, ALL));
        assertThat(agreed.terms().capabilitySet()).contains(Capability.HAS_RESEND, Capability.INIT_EXT);
        assertThat(agreed.terms().minor()).isEqualTo(45);
    }

    @Test
    void anOlderKernelKeepsItsMinorAndItsPages() {
        Negotiation.Agreed agreed = (Negotiation.Agreed) negotiate(new InitRequest(7, 12, 65536, 0));
        assertThat(agreed.terms()).isEqualTo(new Negotiated(12, 0, 65536, 1 << 20, 32, 64));
    }

    @Test
    void aNewerKernelGetsOurMinor() {
        Negotiation.Agreed agreed = (Negotiation.Agreed) negotiate(new InitRequest(7, 99, 65536, 0));
        assertThat(agreed.terms().minor()).isEqualTo(45);
    }

    @Test
    void refusesWhatCannotWorkAndSaysWhy() {
        assertThat(negotiate(new InitRequest(7, 5, 0, 0))).isInstanceOf(Negotiation.Refused.class);
        assertThat(negotiate(new InitRequest(6, 99, 0, 0))).isInstanceOf(Negotiation.Refused.class);
        assertThat(negotiate(new InitRequest(8, 0, 0, 0))).isEqualTo(new Negotiation.AskAgain());
        SessionSettings demanding = SETTINGS.withWishes(DEMANDING);
        assertThat(Negotiation.of(new InitRequest(7, 31, 0, 0), demanding, 4096))
                .isInstanceOfSatisfying(
                        Negotiation.Refused.class,
                        refused -> assertThat(refused.reason()).contains("ATOMIC_O_TRUNC"));
    }

    @Test
    void capabilitiesThatChangeRequestsCannotBeAskedFor() {
        assertThatThrownBy(() -> SETTINGS.withWishes(new KernelWishes(Set.of(Capability.SECURITY_CTX), Set.of())))
                .hasMessageContaining("SECURITY_CTX");
    }

    private static Bytes agreed(int minor, int flags, int flags2, int pages) {
        return new Bytes()
                .int32(7)
                .int32(minor)
                .int32(131072)
                .int32(flags)
                .int16(64)
                .int16(48)
                .int32(1 << 20)
                .int32(1)
                .int16(pages)
                .int16(0)
                .int32(flags2)
                .zeroes(28);
    }

    @Test
    void todaysAnswerHas64Bytes() throws Exception {
        FuseSession session = start(SETTINGS);
        long unique = device.send(Operation.INIT, WireTest.init(45, ALL));
        long flags = Capability.bitsOf(SETTINGS.wishes().wanted()) | Capability.INIT_EXT.mask();
        assertThat(device.answer())
                .isEqualTo(WireTest.answer(
                        unique,
                        0,
                        agreed(45, (int) flags, (int) (flags >>> 32), 256).done()));
        assertThat(session.awaitStarted(Mounted.LONG)).isPresent();
    }

    @Test
    void whatWasSettledCanBeReadAsLongAsTheSessionAndAfterIt() throws Exception {
        FuseSession session = start(SETTINGS);
        assertThat(session.negotiated()).isEmpty();
        device.send(Operation.INIT, WireTest.init(45, ALL));
        device.answer();
        Negotiated settled = session.awaitStarted(Mounted.LONG).orElseThrow();
        assertThat(settled.has(Capability.HAS_RESEND)).isTrue();
        assertThat(session.negotiated()).contains(settled);
        device.fail(Errno.ENODEV);
        assertThat(session.awaitEnd(Mounted.LONG)).contains(new SessionEnd.Unmounted());
        assertThat(session.negotiated()).contains(settled);
    }

    @Test
    void theAnswerBeforeMinor23Has24Bytes() throws Exception {
        start(SETTINGS);
        long unique = device.send(Operation.INIT, WireTest.init(22, 1));
        byte[] body = java.util.Arrays.copyOf(agreed(22, 1, 0, 32).done(), 24);
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, 0, body));
    }

    @Test
    void aKernelWithANewerMajorIsToldOursAndAsksAgain() throws Exception {
        FuseSession session = start(SETTINGS);
        long first = device.send(
                Operation.INIT, new Bytes().int32(8).int32(0).int32(0).int32(0).done());
        assertThat(device.answer())
                .isEqualTo(WireTest.answer(
                        first, 0, new Bytes().int32(7).int32(45).zeroes(56).done()));
        device.send(Operation.INIT, WireTest.init(45, 0));
        device.answer();
        assertThat(session.awaitStarted(Mounted.LONG)).isPresent();
    }

    @Test
    void aRefusedInitEndsTheSessionWithTheReason() throws Exception {
        FuseSession session = start(SETTINGS.withWishes(DEMANDING));
        long unique = device.send(Operation.INIT, WireTest.init(45, 0));
        assertThat(device.answer()).isEqualTo(WireTest.answer(unique, -Errno.EPROTO, new byte[0]));
        assertThat(session.awaitEnd(Mounted.LONG).orElseThrow())
                .isInstanceOfSatisfying(
                        SessionEnd.Failed.class,
                        failed -> assertThat(failed.reason()).contains("ATOMIC_O_TRUNC"));
        assertThat(session.awaitStarted(Mounted.LONG)).isEmpty();
        assertThat(session.negotiated()).isEmpty();
        assertThat(device.closed).isTrue();
    }

    @Test
    void readErrorsThatMeanNothingAreSurvivedAndOthersEndTheSession() throws Exception {
        FuseSession session = start(SETTINGS);
        device.fail(Errno.ENOENT);
        device.fail(Errno.EINTR);
        device.fail(Errno.EAGAIN);
        device.send(Operation.INIT, WireTest.init(45, 0));
        device.answer();
        assertThat(session.awaitStarted(Mounted.LONG)).isPresent();
        device.fail(Errno.EIO);
        assertThat(session.awaitEnd(Mounted.LONG).orElseThrow())
                .isInstanceOfSatisfying(
                        SessionEnd.Failed.class,
                        failed -> assertThat(failed.reason()).contains("EIO"));
        assertThat(device.closed).isTrue();
    }

    @Test
    void aDeviceWithoutMountIsNamed() throws Exception {
        FuseSession session = start(SETTINGS);
        device.fail(Errno.EPERM);
        assertThat(session.awaitEnd(Mounted.LONG).orElseThrow())
                .isInstanceOfSatisfying(
                        SessionEnd.Failed.class,
                        failed -> assertThat(failed.reason()).contains("mount"));
    }
}
