package s3csi.driver;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import s3csi.driver.grpc.CsiServer;
import s3csi.driver.registration.KubeletRegistration;

/** What runs of a driver. It is stopped in the opposite order of its start. */
final class DriverProcess implements AutoCloseable {
    /** Calls get this long to end; with the rest of the way out it stays below three seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Deque<Runnable> stops = new ArrayDeque<>();
    private volatile @Nullable CsiServer csi;
    private volatile @Nullable KubeletRegistration registration;

    /** Something was started, and is to be stopped like this. */
    synchronized void stopBy(Runnable stop) {
        stops.push(stop);
    }

    /** Answers calls from now on. */
    void serve(CsiServer server) throws IOException {
        stopBy(() -> server.stop(PATIENCE));
        csi = server;
        server.start();
    }

    /** Makes it known to kubelet, which calls at once. */
    void register(KubeletRegistration made) throws IOException {
        stopBy(made::close);
        registration = made;
        made.start();
    }

    boolean isReady() {
        CsiServer server = csi;
        return server != null && server.isListening();
    }

    /** Why it does not do its work; empty if it does. */
    Optional<String> trouble() {
        if (!isReady()) {
            return Optional.of("the CSI socket is not served");
        }
        KubeletRegistration made = registration;
        return made == null ? Optional.empty() : made.trouble();
    }

    @Override
    public synchronized void close() {
        while (!stops.isEmpty()) {
            stops.pop().run();
        }
    }
}
