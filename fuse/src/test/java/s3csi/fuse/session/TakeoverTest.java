package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.AccessRule;
import s3csi.fuse.Capability;
import s3csi.fuse.DataReply;
import s3csi.fuse.Handover;
import s3csi.fuse.KernelWishes;
import s3csi.fuse.Negotiated;
import s3csi.fuse.OpenFlags;
import s3csi.fuse.WriteData;
import s3csi.fuse.WriteReply;
import s3csi.linux.Descriptor;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.Mounts;

/** A second session goes on with the mount of a first one that stopped. */
@Tag("engine")
class TakeoverTest {
    private static final MemorySegment CONTENT = Arena.global().allocateFrom("content");

    private static final class Silent extends OneFile {
        final CountDownLatch arrived = new CountDownLatch(1);

        Silent() {
            openFlags = OpenFlags.DIRECT_IO;
        }

        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            Handover.toVirtualThread(reply, later -> {
                arrived.countDown();
                new CountDownLatch(1).await();
            });
        }
    }

    private static final class Answering extends OneFile {
        final CountDownLatch resent = new CountDownLatch(1);

        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            if (reply.isResent()) {
                resent.countDown();
            }
            long left = Math.max(0, 7 - offset);
            reply.add(CONTENT, 7 - left, left).send();
        }
    }

    @Test
    void theReaderOfAnUnansweredRequestGetsItsAnswerFromTheSecond() throws Exception {
        Path root = Files.createTempDirectory("s3csi-takeover");
        try (FuseDevice device = FuseDevice.open();
                Descriptor keeper = device.descriptor().duplicate()) {
            Mounts.mountFuse(device, "mountpoint-s3", root, FuseMountOptions.ownedBy(0, 0));
            Silent silent = new Silent();
            FuseSession first = FuseSession.start(device, silent, SessionSettings.defaults(), new SessionEvents() {});
            Negotiated terms = first.awaitStarted(Mounted.LONG).orElseThrow();
            assertThat(terms.has(Capability.HAS_RESEND))
                    .as("this kernel can resend")
                    .isTrue();
            Process reader = Shell.start(root, "exec cat file");
            assertThat(silent.arrived.await(30, TimeUnit.SECONDS)).isTrue();

            first.stop(Duration.ZERO);
            assertThat(first.awaitEnd()).isEqualTo(new SessionEnd.Stopped());
            assertThat(silent.ended).isTrue();
            assertThat(first.counters().pending()).isZero();
            assertThat(reader.isAlive()).isTrue();

            Answering answering = new Answering();
            FuseSession second = FuseSession.resume(
                    FuseDevice.adopt(keeper), answering, SessionSettings.defaults(), new SessionEvents() {}, terms);
            assertThat(answering.resent.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(new String(reader.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo("content");
            assertThat(reader.waitFor()).isZero();
            assertThat(Shell.run(root, "cat file").output()).isEqualTo("content");
            Mounts.unmount(root, Mounts.Unmount.PLAIN);
            assertThat(second.awaitEnd(Mounted.LONG)).contains(new SessionEnd.Unmounted());
        } finally {
            Mounted.cleanUp(root);
        }
    }

    @Test
    void theSecondTakesWritesAsLargeAsTheFirstAgreedTo() throws Exception {
        Path root = Files.createTempDirectory("s3csi-takeover");
        Set<Integer> sizes = ConcurrentHashMap.newKeySet();
        OneFile writable = new OneFile() {
            @Override
            public void write(
                    long node, long handle, long offset, WriteData data, int flags, boolean cached, WriteReply reply) {
                sizes.add(data.size());
                reply.written(data.size());
            }
        };
        try (FuseDevice device = FuseDevice.open();
                Descriptor keeper = device.descriptor().duplicate()) {
            Mounts.mountFuse(device, "mountpoint-s3", root, FuseMountOptions.ownedBy(0, 0));
            FuseSession first =
                    FuseSession.start(device, new OneFile(), SessionSettings.defaults(), new SessionEvents() {});
            Negotiated terms = first.awaitStarted(Mounted.LONG).orElseThrow();
            first.stop(Duration.ZERO);

            SessionSettings frugal = SessionSettings.defaults().withMaxWrite(4096);
            FuseSession second =
                    FuseSession.resume(FuseDevice.adopt(keeper), writable, frugal, new SessionEvents() {}, terms);

            assertThat(Shell.run(root, "dd if=/dev/zero of=file bs=1M count=2 2>/dev/null")
                            .exit())
                    .isZero();
            assertThat(sizes).containsExactly(terms.maxWrite());
            Mounts.unmount(root, Mounts.Unmount.PLAIN);
            assertThat(second.awaitEnd(Mounted.LONG)).contains(new SessionEnd.Unmounted());
        } finally {
            Mounted.cleanUp(root);
        }
    }

    @Test
    void stopWaitsForWhatIsUnderWay() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Boolean> received = new CompletableFuture<>();
        OneFile fileSystem = new OneFile() {
            @Override
            public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
                Handover.toVirtualThread(reply, later -> {
                    arrived.countDown();
                    goOn.await();
                    received.complete(later.send());
                });
            }
        };
        fileSystem.openFlags = OpenFlags.DIRECT_IO;
        try (Mounted mount = Mounted.of(fileSystem)) {
            Process reader = Shell.start(mount.root, "dd if=file count=1 of=/dev/null 2>/dev/null; exit 0");
            assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
            Thread stopping = Thread.ofPlatform().start(() -> {
                try {
                    mount.session.stop(Mounted.LONG);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Await.until("it is told to stop", ((DeviceSession) mount.session)::isStopping);
            assertThat(mount.session.awaitEnd(Duration.ofMillis(100))).isEmpty();
            goOn.countDown();
            stopping.join();
            assertThat(mount.session.awaitEnd()).isEqualTo(new SessionEnd.Stopped());
            assertThat(received.get(30, TimeUnit.SECONDS))
                    .as("the reader still waited for the answer")
                    .isTrue();
            assertThat(Shell.endsSoon(reader)).isTrue();
            // The descriptor was the only one, so the mount is dead now.
            assertThat(Shell.run(mount.root, "stat file").output()).contains("not connected");
        }
    }

    @Test
    void strangersAreRefused() throws Exception {
        SessionSettings settings = SessionSettings.defaults().withAccess(new AccessRule.Owner(4242));
        try (Mounted mount = Mounted.of(new OneFile(), settings)) {
            assertThat(Shell.run(Path.of("/"), "stat '" + mount.file("file") + "'")
                            .output())
                    .contains("Permission denied");
        }
        SessionSettings withRoot = SessionSettings.defaults().withAccess(new AccessRule.OwnerAndRoot(4242));
        try (Mounted mount = Mounted.of(new OneFile(), withRoot)) {
            assertThat(Shell.run(mount.root, "stat file").exit()).isZero();
        }
    }

    @Test
    void aKernelThatLacksWhatIsNeededEndsAllThreads() throws Exception {
        Path root = Files.createTempDirectory("s3csi-refused");
        try (FuseDevice device = FuseDevice.open()) {
            Mounts.mountFuse(device, "mountpoint-s3", root, FuseMountOptions.ownedBy(0, 0));
            // Offered to other kinds of mounts only.
            SessionSettings settings = SessionSettings.defaults()
                    .withThreads(4)
                    .withWishes(KernelWishes.DEFAULTS.withRequired(Set.of(Capability.SUBMOUNTS)));
            FuseSession session = FuseSession.start(device, new OneFile(), settings, new SessionEvents() {});
            assertThat(session.awaitEnd(Mounted.LONG).orElseThrow())
                    .isInstanceOfSatisfying(
                            SessionEnd.Failed.class,
                            failed -> assertThat(failed.reason()).contains("SUBMOUNTS"));
            assertThat(session.awaitStarted(Mounted.LONG)).isEmpty();
            assertThat(device.descriptor().isOpen()).isFalse();
        } finally {
            Mounted.cleanUp(root);
        }
    }

    @Test
    void aNameThatIsNoTextIsRefused() throws Exception {
        try (Mounted mount = Mounted.of(new OneFile())) {
            assertThat(Shell.run(mount.root, "stat \"$(printf 'a\\377b')\"").output())
                    .contains("Invalid argument");
            assertThat(Shell.run(mount.root, "stat \"$(printf 'a\\303\\274b')\"")
                            .output())
                    .contains("No such file");
        }
    }

    @Test
    void aDeviceWithoutAMountIsSaidInWords() throws Exception {
        FuseSession session =
                FuseSession.start(FuseDevice.open(), new OneFile(), SessionSettings.defaults(), new SessionEvents() {});
        assertThat(session.awaitStarted(Mounted.LONG)).isEmpty();
        assertThat(session.awaitEnd(Mounted.LONG).orElseThrow())
                .isInstanceOfSatisfying(
                        SessionEnd.Failed.class,
                        failed -> assertThat(failed.reason()).contains("not tied to a mount"));
    }
}
