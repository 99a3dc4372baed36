package s3csi.testbed.pods;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import s3csi.linux.ChildProcess;
import s3csi.linux.Descriptor;
import s3csi.linux.ExitStatus;
import s3csi.linux.ReceivedMessage;
import s3csi.linux.Spawn;
import s3csi.linux.UnixListener;
import s3csi.linux.UnixStream;
import s3csi.volume.mount.MountMessage;

/**
 * Does what the mounter of 2.x does: takes one message with one descriptor, and runs a mount-s3 on the descriptor, with the environment as
 * it came. Like Mountpoint 1.18, it ends at an option that it does not know.
 */
final class OldMounter {
    private static final Set<String> KNOWN = Set.of(
            "--allow-delete",
            "--allow-other",
            "--allow-overwrite",
            "--allow-root",
            "--cache",
            "--dir-mode",
            "--file-mode",
            "--force-path-style",
            "--gid",
            "--max-cache-size",
            "--metadata-ttl",
            "--prefix",
            "--region",
            "--uid",
            "--user-agent-prefix");

    private OldMounter() {}

    /** Takes the path of a mount-s3, and works in {@code /comm}. */
    public static void main(String[] arguments) throws Exception {
        Path comm = Path.of("/comm");
        try (UnixListener listener = UnixListener.bind(comm.resolve("mount.sock"))) {
            Optional<UnixStream> stream = Optional.empty();
            while (stream.isEmpty()) {
                stream = listener.accept(Duration.ofMinutes(2));
            }
            ReceivedMessage received = stream.get().receiveAll(1 << 20, 1, Duration.ofSeconds(10));
            System.exit(serve(
                    Path.of(arguments[0]),
                    comm,
                    MountMessage.parse(received.bytes()),
                    received.descriptors().getFirst()));
        }
    }

    private static int serve(Path program, Path comm, MountMessage message, Descriptor device)
            throws IOException, InterruptedException {
        for (String argument : message.args()) {
            String name = argument.split("=", 2)[0];
            if (!KNOWN.contains(name)) {
                Files.writeString(
                        comm.resolve("mount.err"),
                        "error: unexpected argument '" + name + "' found",
                        StandardCharsets.UTF_8);
                return 255;
            }
        }
        List<String> line =
                new ArrayList<>(List.of(program.toString(), message.bucketName(), "/dev/fd/3", "--foreground"));
        line.addAll(message.args());
        ChildProcess engine = new Spawn(program, line, message.environment(), Map.of(3, device), false).start();
        // The mount ends with the engine alone.
        device.close();
        return engine.awaitEnd(Duration.ofDays(1))
                        .filter(new ExitStatus.Exited(0)::equals)
                        .isPresent()
                ? 0
                : 255;
    }
}
