package s3csi.mounter.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import s3csi.linux.LinuxException;
import s3csi.linux.UnixStream;
import s3csi.s3.testing.process.Await;

/** How a node service gets to a mounter that begins to listen some time. */
final class Sockets {
    private static final Duration LONG = Duration.ofSeconds(30);

    private Sockets() {}

    /** Connects as soon as somebody listens there. */
    static UnixStream connect(Path socket) {
        AtomicReference<@Nullable UnixStream> stream = new AtomicReference<>();
        AtomicReference<@Nullable LinuxException> refusal = new AtomicReference<>();
        Await.until(LONG, () -> "nobody listens at " + socket + ": " + refusal.get(), () -> {
            try {
                stream.set(UnixStream.connect(socket));
                return true;
            } catch (LinuxException e) {
                refusal.set(e);
                return false;
            }
        });
        return Objects.requireNonNull(stream.get());
    }
}
