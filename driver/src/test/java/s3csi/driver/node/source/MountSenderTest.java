package s3csi.driver.node.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.node.kernel.Deadline;
import s3csi.linux.LinuxException;
import s3csi.linux.PeerCredentials;
import s3csi.linux.Pipe;
import s3csi.linux.ReceivedMessage;
import s3csi.linux.UnixListener;
import s3csi.linux.UnixStream;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.MountMessage;

/** Who may not have a mount gets nothing of it: no descriptor, and no word of the message, which may hold keys. */
class MountSenderTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final MountMessage MESSAGE = new MountMessage("bucket", List.of("--allow-other"), List.of());

    private final Path comm;

    MountSenderTest(@TempDir Path scratch) {
        comm = scratch;
    }

    private UnixListener listen() throws Exception {
        return UnixListener.bind(comm.resolve(CommFiles.SOCKET));
    }

    /** All that came from the other side until it closed the connection. */
    private static ReceivedMessage received(UnixListener listener) throws Exception {
        try (UnixStream stream = listener.accept(LONG).orElseThrow()) {
            return stream.receiveAll(MountMessage.LARGEST, 1, LONG);
        }
    }

    @Test
    void aStrangerReceivesNothing() throws Exception {
        List<PeerCredentials> asked = new ArrayList<>();
        MountSender sender = new MountSender(
                comm,
                peer -> {
                    asked.add(peer);
                    return false;
                },
                () -> true);
        try (UnixListener stranger = listen();
                Pipe pipe = Pipe.open()) {
            assertThatExceptionOfType(VolumeFailure.class)
                    .isThrownBy(() -> sender.send(MESSAGE, pipe.writer(), Deadline.after(LONG)))
                    .satisfies(failure -> assertThat(failure.reason()).isInstanceOf(NodeCause.StrangerOnSocket.class));

            assertThat(asked).extracting(PeerCredentials::pid).containsExactly((int)
                    ProcessHandle.current().pid());
            try (ReceivedMessage got = received(stranger)) {
                assertThat(got.bytes()).as("bytes that a stranger got").isEmpty();
                assertThat(got.descriptors())
                        .as("descriptors that a stranger got")
                        .isEmpty();
            }
        }
    }

    @Test
    void theEngineReceivesAllOfItAndOneDescriptor() throws Exception {
        MountSender sender = new MountSender(comm, _ -> true, () -> true);
        try (UnixListener engine = listen();
                Pipe pipe = Pipe.open()) {
            assertThat(sender.send(MESSAGE, pipe.writer(), Deadline.after(LONG)))
                    .isTrue();

            try (ReceivedMessage got = received(engine)) {
                assertThat(MountMessage.parse(got.bytes())).isEqualTo(MESSAGE);
                assertThat(got.descriptors()).hasSize(1);
            }
        }
    }

    @Test
    void aLinkToAnotherSocketIsNotFollowed() throws Exception {
        MountSender sender = new MountSender(comm, _ -> true, () -> true);
        Path elsewhere = Files.createDirectory(comm.resolve("elsewhere")).resolve("socket");
        try (UnixListener other = UnixListener.bind(elsewhere);
                Pipe pipe = Pipe.open()) {
            Files.createSymbolicLink(comm.resolve(CommFiles.SOCKET), elsewhere);

            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> sender.send(MESSAGE, pipe.writer(), Deadline.after(LONG)));

            assertThat(other.accept(SHORT))
                    .as("a connection by way of the link")
                    .isEmpty();
        }
    }

    @Test
    void nothingIsSentForAnEngineThatEnded() throws Exception {
        MountSender sender = new MountSender(comm, _ -> true, () -> false);
        try (UnixListener leftBehind = listen();
                Pipe pipe = Pipe.open()) {
            assertThat(sender.send(MESSAGE, pipe.writer(), Deadline.after(LONG)))
                    .isFalse();
            assertThat(leftBehind.accept(SHORT)).as("a connection").isEmpty();
        }
    }

    @Test
    void theTimeEndsTheWaitForSomebodyWhoListens() throws Exception {
        MountSender sender = new MountSender(comm, _ -> true, () -> true);
        try (Pipe pipe = Pipe.open()) {
            assertThat(sender.send(MESSAGE, pipe.writer(), Deadline.after(SHORT)))
                    .isFalse();
        }
    }
}
