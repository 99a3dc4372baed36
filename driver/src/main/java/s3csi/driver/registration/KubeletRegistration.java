package s3csi.driver.registration;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.grpc.CallLog;
import s3csi.driver.grpc.CsiServer;
import s3csi.driver.grpc.EndpointAddress;
import s3csi.registration.v1.RegistrationStatus;

/**
 * Keeps the driver registered. Kubelet asks whoever puts a socket into its directory, once, and forgets a plugin whose socket goes. So one
 * that it has not taken puts its socket there anew after a while, as a sidecar does that ends and is started again.
 */
public final class KubeletRegistration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KubeletRegistration.class);

    /** What kubelet finds fault with is often about to pass: it calls the CSI socket before it takes a driver. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Registration registration;
    private final CallLog log;
    private final Duration pause;
    private volatile RegistrationState state = new RegistrationState.Waiting();

    /** Guarded by this, like the two below. */
    private @Nullable CsiServer server;

    private @Nullable Thread repair;
    private boolean isClosed;

    public KubeletRegistration(Registration registration, CallLog log) {
        this(registration, log, PAUSE);
    }

    KubeletRegistration(Registration registration, CallLog log, Duration pause) {
        this.registration = registration;
        this.log = log;
        this.pause = pause;
    }

    /** From now on kubelet finds the driver. The CSI socket must be served already: it is called at once. */
    public synchronized void start() throws IOException {
        CsiServer started = new CsiServer(
                new EndpointAddress.Unix(registration.socket()),
                List.of(new RegistrationService(registration, this::told)),
                log);
        try {
            started.start();
        } catch (IOException e) {
            started.close();
            throw e;
        }
        server = started;
    }

    /** Why the driver is not registered, though it should be; empty if that is not so, or not known. */
    public Optional<String> trouble() {
        return state.trouble();
    }

    private void told(RegistrationStatus status) {
        if (status.getPluginRegistered()) {
            state = new RegistrationState.Registered();
            LOG.atInfo().addKeyValue("csi", registration.csi()).log("kubelet has registered the driver");
            return;
        }
        String reason = status.getError().isEmpty() ? "it does not say why" : status.getError();
        state = new RegistrationState.Refused(reason);
        LOG.atError()
                .addKeyValue("csi", registration.csi())
                .addKeyValue("again", pause)
                .log(
                        "kubelet has not taken the driver: {}. If it cannot reach the CSI socket, correct"
                                + " --kubelet-registration-path; asking it again",
                        reason);
        askAgain();
    }

    private synchronized void askAgain() {
        if (!isClosed && (repair == null || !repair.isAlive())) {
            repair = Thread.ofVirtual().name("registers again").start(this::register);
        }
    }

    private void register() {
        try {
            stop();
            while (true) {
                Thread.sleep(pause);
                if (startUnlessClosed()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether there is nothing more to do. */
    private synchronized boolean startUnlessClosed() {
        if (isClosed) {
            return true;
        }
        try {
            start();
            return true;
        } catch (IOException e) {
            LOG.error("cannot ask kubelet again; trying once more in {}", pause, e);
            return false;
        }
    }

    /** The socket goes; kubelet forgets the driver, and its volumes stay mounted. */
    private void stop() {
        CsiServer running;
        synchronized (this) {
            running = server;
            server = null;
        }
        if (running != null) {
            running.stop(PATIENCE);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            if (repair != null) {
                repair.interrupt();
            }
        }
        stop();
    }
}
