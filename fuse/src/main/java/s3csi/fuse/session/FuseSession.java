package s3csi.fuse.session;

import java.time.Duration;
import java.util.Optional;
import s3csi.fuse.FileSystem;
import s3csi.fuse.Negotiated;
import s3csi.linux.FuseDevice;
import s3csi.linux.LinuxException;

/**
 * A connection being served: device threads that read requests and give them to a file system.
 *
 * <p>The session owns the device from {@link #start} or {@link #resume} on and closes it at its end. It does not mount and does not
 * unmount. It ends when the mount goes away, when the connection is aborted, or by {@link #stop}.
 */
public interface FuseSession {
    /** Serves a fresh mount, beginning with INIT. If this throws, the device stays the caller's. */
    static FuseSession start(FuseDevice device, FileSystem fileSystem, SessionSettings settings, SessionEvents events)
            throws LinuxException {
        return DeviceSession.start(Device.of(device), fileSystem, settings, events);
    }

    /**
     * Serves a mount whose INIT another process has answered. Requests which that process read and did not answer come again if
     * the connection has {@link s3csi.fuse.Capability#HAS_RESEND}.
     */
    static FuseSession resume(
            FuseDevice device,
            FileSystem fileSystem,
            SessionSettings settings,
            SessionEvents events,
            Negotiated negotiated)
            throws LinuxException {
        return DeviceSession.resume(Device.of(device), fileSystem, settings, events, negotiated);
    }

    /** Waits until INIT is settled. Empty if the session ended before, or the time is over. */
    Optional<Negotiated> awaitStarted(Duration timeout) throws InterruptedException;

    /** What INIT settled, also after the end: who goes on with the mount must know it. Empty as long as nothing is settled. */
    Optional<Negotiated> negotiated();

    /** Waits for the end. Empty if the time is over. */
    Optional<SessionEnd> awaitEnd(Duration timeout) throws InterruptedException;

    /** Waits for the end, however long it takes. */
    SessionEnd awaitEnd() throws InterruptedException;

    /**
     * Stops reading, at once, and waits until the device threads are through with what they have. Requests that were handed over
     * may still be answered for that long; then they are interrupted and given up, so that whoever takes the connection over gets
     * them again. Without anybody else holding the descriptor the mount is dead after this.
     */
    void stop(Duration grace) throws InterruptedException;

    SessionCounters counters();
}
