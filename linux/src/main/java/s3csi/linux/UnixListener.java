package s3csi.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A Unix stream socket that others connect to, at a path that may be longer than an address. */
public final class UnixListener implements AutoCloseable {
    private static final int BACKLOG = 16;

    private final Descriptor descriptor;
    private final Path path;

    private UnixListener(Descriptor descriptor, Path path) {
        this.descriptor = descriptor;
        this.path = path;
    }

    /** Listens at the path. A socket that a dead process left there is removed; any other kind of file is an error. */
    public static UnixListener bind(Path path) throws IOException {
        removeStale(path);
        Descriptor descriptor = SocketCalls.socket();
        try (SocketPath name = SocketPath.of(path)) {
            Calls.check(
                    "bind",
                    path.toString(),
                    (arena, captured) -> SocketCalls.BIND.callInt(
                            captured,
                            descriptor.number(),
                            SocketCalls.address(arena, name.text()),
                            SocketCalls.SOCKADDR_UN.byteSize()));
            Calls.check(
                    "listen",
                    descriptor,
                    (arena, captured) -> SocketCalls.LISTEN.callInt(captured, descriptor.number(), BACKLOG));
        } catch (IOException | RuntimeException e) {
            descriptor.close();
            throw e;
        }
        return new UnixListener(descriptor, path);
    }

    private static void removeStale(Path path) throws IOException {
        try {
            FileStatus status = FileStatus.of(path);
            if (!status.isSocket()) {
                throw new IOException("cannot listen at " + path + ": " + status.kind() + " is there; remove it first");
            }
            Files.deleteIfExists(path);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    /** Waits for somebody to connect; empty when the time is over. */
    public Optional<UnixStream> accept(Duration timeout) throws LinuxException {
        if (Poll.once(descriptor, Poll.POLLIN, timeout) == 0) {
            return Optional.empty();
        }
        int number = (int) Calls.check(
                "accept4",
                descriptor,
                (arena, captured) ->
                        SocketCalls.ACCEPT4.callInt(captured, descriptor.number(), 0, 0, SocketCalls.SOCK_CLOEXEC));
        return Optional.of(new UnixStream(Descriptor.owning(number)));
    }

    /** Stops listening and removes the file. */
    @Override
    public void close() throws IOException {
        descriptor.close();
        Files.deleteIfExists(path);
    }
}
