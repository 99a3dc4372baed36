package s3csi.mounter.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.linux.Descriptor;
import s3csi.linux.LinuxException;
import s3csi.linux.PeerCredentials;
import s3csi.linux.Pipe;
import s3csi.linux.UnixListener;
import s3csi.linux.UnixStream;
import s3csi.s3.testing.process.Await;
import s3csi.volume.EngineTrouble;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;

/** What comes over the socket and is no mount; what is one takes a kernel, see {@link VolumeEngineTest}. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MountListenerTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final byte[] GOOD = new MountMessage("bucket", List.of(), List.of()).toBytes();

    @TempDir
    private Path scratch;

    private Path comm() throws IOException {
        return Files.createDirectories(scratch.resolve("comm"));
    }

    private CompletableFuture<Optional<HandedMount>> start(Duration within, Predicate<PeerCredentials> trusted)
            throws IOException {
        CommDirectory directory = new CommDirectory(comm());
        CompletableFuture<Optional<HandedMount>> end = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                end.complete(await(directory, new MountListener.Rules(LONG, within, trusted)));
            } catch (IOException | RuntimeException e) {
                end.completeExceptionally(e);
            }
        });
        return end;
    }

    private static Optional<HandedMount> await(CommDirectory directory, MountListener.Rules rules) throws IOException {
        try (MountListener listener = MountListener.open(directory, rules)) {
            return listener.await();
        }
    }

    private UnixStream connect() {
        return Sockets.connect(scratch.resolve("comm/mount.sock"));
    }

    private void send(byte[] bytes, Descriptor... descriptors) throws Exception {
        try (UnixStream stream = connect()) {
            stream.send(bytes, List.of(descriptors));
            stream.endOutput();
        }
    }

    private EngineReport report() throws Exception {
        Path file = scratch.resolve("comm/mount.err");
        Await.until(LONG, () -> "nothing was reported in " + file, () -> Files.exists(file));
        EngineReport report = EngineReport.parse(Files.readAllBytes(file));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.delete(file);
        return report;
    }

    private void end(CompletableFuture<Optional<HandedMount>> waiting) throws Exception {
        assertThat(waiting).isNotDone();
        Files.createFile(scratch.resolve("comm/mount.exit"));
        assertThat(waiting.get()).isEmpty();
        assertThat(scratch.resolve("comm/mount.sock")).doesNotExist();
        assertThat(scratch.resolve("comm/mount.err")).doesNotExist();
    }

    @Test
    void nonsenseIsAnsweredInWordsAndTheWaitingGoesOn() throws Exception {
        var waiting = start(LONG, _ -> true);
        for (String text :
                List.of("garbage", "{}", "[1]", "{\"bucketName\":\"\"}", "{\"bucketName\":\"b\",\"args\":3}")) {
            send(text.getBytes(StandardCharsets.UTF_8));
            EngineReport report = report();
            assertThat(report.trouble()).isEqualTo(EngineTrouble.ENGINE_FAILED);
            assertThat(report.words()).startsWith("Error: the mounter could not use what the node service sent: ");
        }
        end(waiting);
    }

    @Test
    void aMessageWithoutDescriptorIsNoMount() throws Exception {
        var waiting = start(LONG, _ -> true);
        send(GOOD);
        assertThat(report().words()).contains("no descriptor came");
        end(waiting);
    }

    @Test
    void aDescriptorThatIsNoFuseDeviceIsClosedAgain() throws Exception {
        var waiting = start(LONG, _ -> true);
        try (Pipe pipe = Pipe.open()) {
            send(GOOD, pipe.writer());
            assertThat(report().words()).contains("it is not /dev/fuse but a pipe");
            pipe.writer().close();
            // Comes to an end only if nobody else holds the other end.
            assertThat(pipe.readAll()).isEmpty();
        }
        end(waiting);
    }

    @Test
    void moreThanOneDescriptorIsTooManyAndAllAreClosed() throws Exception {
        var waiting = start(LONG, _ -> true);
        try (Pipe pipe = Pipe.open();
                Pipe other = Pipe.open()) {
            send(GOOD, pipe.writer(), other.writer());
            assertThat(report().words()).contains("1 descriptors");
            pipe.writer().close();
            other.writer().close();
            assertThat(pipe.readAll()).isEmpty();
            assertThat(other.readAll()).isEmpty();
        }
        end(waiting);
    }

    @Test
    void aFloodIsCutOff() throws Exception {
        var waiting = start(LONG, _ -> true);
        try {
            send(new byte[MountMessage.LARGEST + (1 << 20)]);
        } catch (LinuxException cut) {
            assertThat(cut).hasMessageContaining("sendmsg");
        }
        assertThat(report().words()).contains("too large");
        end(waiting);
    }

    @Test
    void whoConnectsAndNeverSendsDoesNotKeepOthersWaiting() throws Exception {
        // Who does send has no more time than this, either.
        var waiting = start(Duration.ofSeconds(2), _ -> true);
        try (UnixStream silent = connect()) {
            assertThat(report().words()).contains("receive");
            send(GOOD);
            assertThat(report().words()).contains("no descriptor came");
            assertThat(silent.receive(LONG).bytes()).isEmpty();
        }
        end(waiting);
    }

    @Test
    void whoConnectsAndSaysNothingIsNotAnswered() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        var waiting = start(LONG, _ -> connections.incrementAndGet() > 0);
        connect().close();
        Await.until(LONG, () -> "the connection was not heard", () -> connections.get() > 0);
        end(waiting);
    }

    @Test
    void aStrangerIsSentAwayUnheard() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        var waiting = start(LONG, peer -> {
            assertThat(peer.pid()).isEqualTo((int) ProcessHandle.current().pid());
            return asked.incrementAndGet() > 1;
        });
        try (UnixStream stranger = connect()) {
            // Sent away before it could speak, or with its words unread.
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> {
                        stranger.send("garbage".getBytes(StandardCharsets.UTF_8), List.of());
                        stranger.receive(LONG);
                    })
                    .withMessageMatching(".*(EPIPE|ECONNRESET).*");
        }
        send("garbage".getBytes(StandardCharsets.UTF_8));
        report();
        assertThat(asked).hasValue(2);
        end(waiting);
    }

    @Test
    void aSocketThatADeadMounterLeftIsReplacedAndOnlyItsOwnerMayConnect() throws Exception {
        Path socket = comm().resolve("mount.sock");
        UnixListener dead = UnixListener.bind(socket);
        // Listening ends, the file stays: as after SIGKILL.
        Files.createLink(scratch.resolve("kept"), socket);
        dead.close();
        Files.move(scratch.resolve("kept"), socket);

        var waiting = start(LONG, _ -> true);
        send("garbage".getBytes(StandardCharsets.UTF_8));
        report();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
        end(waiting);
    }

    @Test
    void aPathLongerThanAnAddressIsNoProblem() throws Exception {
        scratch = Files.createDirectories(scratch.resolve("long".repeat(40)));
        var waiting = start(LONG, _ -> true);
        send("garbage".getBytes(StandardCharsets.UTF_8));
        report();
        end(waiting);
    }

    @Test
    void whoIsNotWantedAnyMoreDoesNotWait() throws Exception {
        Files.createFile(comm().resolve("mount.exit"));
        assertThat(start(LONG, _ -> true).get()).isEmpty();
    }
}
