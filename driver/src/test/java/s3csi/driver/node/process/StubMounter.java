package s3csi.driver.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import s3csi.fuse.session.FuseSession;
import s3csi.fuse.session.SessionEvents;
import s3csi.fuse.session.SessionSettings;
import s3csi.linux.FuseDevice;
import s3csi.linux.ReceivedMessage;
import s3csi.linux.UnixListener;
import s3csi.linux.UnixStream;
import s3csi.volume.EngineTrouble;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;

/**
 * A mounter of the same protocol and manners as the real one, whose file system only says what it was told. Some buckets make it fail.
 */
final class StubMounter {
    static final String MISSING = "no-such-bucket";
    static final String CRASHES = "crashes";
    static final String HANGS = "hangs";
    private static final Duration LONG = Duration.ofMinutes(2);

    private StubMounter() {}

    public static void main(String[] arguments) throws Exception {
        String directory = Arrays.stream(arguments)
                .filter(argument -> argument.startsWith("--comm-dir="))
                .findFirst()
                .orElseThrow();
        Path comm = Path.of(directory.substring("--comm-dir=".length()));
        ReceivedMessage received = receive(comm);
        MountMessage message = MountMessage.parse(received.bytes());
        switch (message.bucketName()) {
            case MISSING -> {
                byte[] report = new EngineReport(EngineTrouble.NO_SUCH_BUCKET, "Error: no such bucket").toBytes();
                Path draft = Files.write(comm.resolve("draft"), report);
                Files.move(draft, comm.resolve(CommFiles.ERROR));
                System.exit(1);
            }
            case CRASHES -> {
                System.err.println("a stack trace of the stub");
                System.exit(3);
            }
            case HANGS -> Thread.sleep(LONG);
            default -> serve(comm, message, received);
        }
    }

    private static ReceivedMessage receive(Path comm) throws IOException {
        try (UnixListener listener = UnixListener.bind(comm.resolve(CommFiles.SOCKET));
                UnixStream stream = listener.accept(LONG).orElseThrow()) {
            return stream.receiveAll(MountMessage.LARGEST, 1, LONG);
        }
    }

    private static void serve(Path comm, MountMessage message, ReceivedMessage received) throws Exception {
        FuseDevice device = FuseDevice.adopt(received.descriptors().getFirst());
        int gid = message.args().stream()
                .filter(argument -> argument.startsWith("--gid="))
                .mapToInt(argument -> Integer.parseInt(argument.substring("--gid=".length())))
                .findFirst()
                .orElse(0);
        FuseSession session = FuseSession.start(
                device,
                new GreetingFileSystem(String.join("\n", message.args()), gid),
                SessionSettings.defaults(),
                new SessionEvents() {});
        session.awaitEnd();
        System.exit(Files.exists(comm.resolve(CommFiles.EXIT)) ? 0 : 1);
    }
}
