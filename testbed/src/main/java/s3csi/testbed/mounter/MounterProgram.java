package s3csi.testbed.mounter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import s3csi.linux.Descriptor;
import s3csi.linux.Errno;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.LinuxException;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.UnixStream;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.testbed.contender.Bounded;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;

/** A mounter as a process, with its comm directory and the place where its source is mounted. */
public final class MounterProgram implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final long BETWEEN_TRIES = 1_000_000;

    private final Path home;
    private final Path comm;
    private final Path source;
    private ChildProcess process;
    private final List<String> command;

    private MounterProgram(List<String> before) {
        this.home = Scratch.directory("mounter");
        this.comm = home.resolve("comm");
        this.source = home.resolve("source");
        this.command = new ArrayList<>(before);
        command.add("--comm-dir=" + comm);
        try {
            Files.createDirectory(comm);
            Files.createDirectory(source);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        this.process = run();
    }

    /** The program as built. */
    public static MounterProgram start() {
        return start(List.of(Tools.program("scality-s3-csi-mounter").toString()));
    }

    /** A command that takes the mounter's flags. */
    public static MounterProgram start(List<String> command) {
        return new MounterProgram(command);
    }

    private ChildProcess run() {
        return ChildProcess.start(command, Map.of("LANG", "C.UTF-8"), home.resolve("mounter.log"));
    }

    /** Starts it once more in the same directory, as a kubelet does when it ended. */
    public void startAgain() {
        process = run();
    }

    public ChildProcess process() {
        return process;
    }

    public Path comm() {
        return comm;
    }

    public Path source() {
        return source;
    }

    public String log() {
        try {
            return Files.readString(home.resolve("mounter.log"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public void awaitLog(String text) {
        Await.until(SOON, () -> process.story("did not log '" + text + "'"), () -> log().contains(text));
    }

    /** Connects as soon as it listens. */
    public UnixStream connect() {
        long end = System.nanoTime() + SOON.toNanos();
        while (true) {
            try {
                return UnixStream.connect(comm.resolve(CommFiles.SOCKET));
            } catch (LinuxException failure) {
                if (failure.errno() != Errno.ENOENT && failure.errno() != Errno.ECONNREFUSED) {
                    throw new UncheckedIOException(failure);
                }
            }
            if (System.nanoTime() - end >= 0) {
                throw new IllegalStateException(process.story("does not listen"));
            }
            // Shorter than elsewhere, because the start of a mounter is also measured.
            LockSupport.parkNanos(BETWEEN_TRIES);
        }
    }

    /** Sends bytes with descriptors, and ends. */
    public void send(byte[] bytes, List<Descriptor> descriptors) throws IOException {
        try (UnixStream stream = connect()) {
            stream.send(bytes, descriptors);
            stream.endOutput();
        }
    }

    /** Mounts the source and hands it over; the device is the caller's to close, when it knows what came of it. */
    public FuseDevice handOver(MountMessage message) throws IOException {
        return handOver(message.toBytes());
    }

    private FuseDevice handOver(byte[] message) throws IOException {
        FuseDevice device = FuseDevice.open();
        try {
            Mounts.mountFuse(
                    device,
                    "mountpoint-s3",
                    source,
                    FuseMountOptions.ownedBy(0, 0).withAllowOther(true));
            send(message, List.of(device.descriptor()));
            return device;
        } catch (IOException | RuntimeException failure) {
            device.close();
            throw failure;
        }
    }

    /** Hands a mount over and waits until it is served. */
    public void mount(MountMessage message) throws IOException {
        mount(message.toBytes());
    }

    /** The same with a message of another release. */
    public void mount(byte[] message) throws IOException {
        try (FuseDevice _ = handOver(message)) {
            // The answer comes after INIT; a mounter that refuses never gives one.
            Bounded.run(SOON, this::takeAway, "the first look at the source", () -> Files.isDirectory(source));
        }
    }

    /** What it left in {@code mount.err}, as soon as it does. */
    public EngineReport awaitReport() {
        Path file = comm.resolve(CommFiles.ERROR);
        Await.until(SOON, () -> process.story("left no report"), () -> Files.exists(file));
        try {
            return EngineReport.parse(Files.readAllBytes(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Says that the end of the mount is wanted. */
    public void wantEnd() throws IOException {
        Files.createFile(comm.resolve(CommFiles.EXIT));
    }

    public void unmount() throws LinuxException {
        Mounts.unmount(source, Mounts.Unmount.PLAIN);
    }

    /** The exit code, once it has ended. */
    public int exitCode() {
        if (!process.hasEndedWithin(SOON)) {
            throw new IllegalStateException(process.story("has not ended"));
        }
        return process.exitCode();
    }

    private void takeAway() {
        try {
            if (MountTable.current().topAt(source.toRealPath()).isPresent()) {
                Mounts.unmount(source, Mounts.Unmount.FORCE);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot unmount " + source, failure);
        }
    }

    @Override
    public void close() {
        takeAway();
        // It ends by itself when its mount is gone, and by force when it never had one.
        if (!process.hasEndedWithin(Duration.ofSeconds(2))) {
            process.kill();
        }
        Scratch.delete(home);
    }
}
