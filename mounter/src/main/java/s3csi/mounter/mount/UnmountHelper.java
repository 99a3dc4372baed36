package s3csi.mounter.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import s3csi.linux.Descriptor;
import s3csi.linux.FuseDevice;
import s3csi.linux.Pipe;
import s3csi.linux.ReceivedMessage;
import s3csi.linux.SocketPair;
import s3csi.linux.Spawn;
import s3csi.linux.UnixStream;
import s3csi.mounter.config.Environment;
import s3csi.mounter.config.StartFailure;

/**
 * The program {@code fusermount3}, which every system with FUSE has. It mounts, gives us the device through a socket, and waits at the
 * socket's other end: when ours is closed, and be it because the process was killed, it unmounts what does not answer any more.
 *
 * @param device mounted, and waiting to be served
 * @param watch our end of the socket, to be kept for as long as the mount shall stay
 */
record UnmountHelper(FuseDevice device, UnixStream watch) {
    private static final List<String> NAMES = List.of("fusermount3", "fusermount");
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int STANDARD_ERROR = 2;
    private static final int SOCKET = 3;

    /** Where it is, among the directories that the variable PATH names. */
    static Path find(Environment environment) throws StartFailure {
        for (String name : NAMES) {
            for (String directory : environment.text("PATH").orElse(USUAL_PATH).split(":", -1)) {
                Path program = Path.of(directory, name);
                // Never one that happens to lie in the current directory.
                if (program.isAbsolute() && Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        throw new StartFailure(
                "--auto-unmount needs the program fusermount3, which is not installed; install the package"
                        + " fuse3, or leave the option out");
    }

    static UnmountHelper mount(Path program, String source, Path target, boolean readOnly) throws StartFailure {
        // Root, as whom the helper may run, must be able to see that a mount of somebody else is dead.
        List<String> options = new ArrayList<>(List.of(
                "fsname=" + source,
                "default_permissions",
                "allow_other",
                "nosuid",
                "nodev",
                "noatime",
                "auto_unmount"));
        if (readOnly) {
            options.add("ro");
        }
        List<String> command = List.of(program.toString(), "-o", String.join(",", options), "--", target.toString());
        try {
            return started(program, command);
        } catch (IOException e) {
            throw new StartFailure(
                    "Failed to create FUSE session",
                    new StartFailure("cannot mount at " + target + " with " + program, e));
        }
    }

    private static UnmountHelper started(Path program, List<String> command) throws IOException {
        SocketPair sockets = SocketPair.open();
        boolean mounted = false;
        try (Pipe errors = Pipe.open()) {
            Map<String, String> environment =
                    Map.of("_FUSE_COMMFD", Integer.toString(SOCKET), "PATH", USUAL_PATH, "LC_ALL", "C");
            Map<Integer, Descriptor> descriptors = Map.of(SOCKET, sockets.theirs(), STANDARD_ERROR, errors.writer());
            new Spawn(program, command, environment, descriptors, true).start();
            // From now on only the helper holds these ends: we see it end, and it hears nobody but us.
            sockets.theirs().close();
            errors.writer().close();
            UnmountHelper helper = new UnmountHelper(received(sockets.ours(), errors), sockets.ours());
            mounted = true;
            return helper;
        } finally {
            sockets.theirs().close();
            if (!mounted) {
                sockets.ours().close();
            }
        }
    }

    private static FuseDevice received(UnixStream socket, Pipe errors) throws IOException {
        ReceivedMessage message = socket.receive(PATIENCE);
        if (message.descriptors().size() == 1) {
            return FuseDevice.adopt(message.descriptors().getFirst());
        }
        message.close();
        // It sends nothing only when it has given up and ended.
        String reason = new String(errors.readAll(), StandardCharsets.UTF_8).strip();
        throw new IOException(reason.isEmpty() ? "it ended without a word; try without --auto-unmount" : reason);
    }
}
