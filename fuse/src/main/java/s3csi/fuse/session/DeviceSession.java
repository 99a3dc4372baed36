package s3csi.fuse.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import s3csi.fuse.Capability;
import s3csi.fuse.FileSystem;
import s3csi.fuse.Negotiated;
import s3csi.fuse.Operation;
import s3csi.fuse.wire.InitReply;
import s3csi.fuse.wire.InitRequest;
import s3csi.fuse.wire.MalformedRequestException;
import s3csi.fuse.wire.RequestBytes;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.linux.PageMemory;

/** A session on one device descriptor that several threads read. */
final class DeviceSession implements FuseSession {
    private static final Duration WAKE_AGAIN = Duration.ofMillis(5);

    private final FileSystem fileSystem;
    private final SessionSettings settings;
    private final Connection connection;
    private final DeviceNotifications notifications;
    private final Interrupts interrupts;
    private final List<DeviceThread> threads = new ArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicBoolean waking = new AtomicBoolean();
    private final CompletableFuture<Negotiated> started = new CompletableFuture<>();
    private final CompletableFuture<SessionEnd> ended = new CompletableFuture<>();
    private final AtomicReference<@Nullable SessionEnd> cause = new AtomicReference<>();
    private volatile @Nullable Dispatcher dispatcher;
    private volatile boolean stopping;
    private volatile Duration grace = Duration.ZERO;

    private DeviceSession(
            Device device, FileSystem fileSystem, SessionSettings settings, SessionEvents events, int maxWrite)
            throws LinuxException {
        this.fileSystem = fileSystem;
        this.settings = settings;
        this.connection = new Connection(device, events);
        this.notifications = new DeviceNotifications(connection);
        this.interrupts = new Interrupts(connection);
        RequestBuffers buffers =
                new RequestBuffers(maxWrite, settings.spareBuffers(), settings.mostKept(), connection.counters);
        for (int i = 0; i < settings.threads(); i++) {
            threads.add(new DeviceThread(this, connection, settings, buffers, i));
        }
    }

    static FuseSession start(Device device, FileSystem fileSystem, SessionSettings settings, SessionEvents events)
            throws LinuxException {
        DeviceSession session = new DeviceSession(device, fileSystem, settings, events, settings.maxWrite());
        session.startThreads();
        return session;
    }

    static FuseSession resume(
            Device device, FileSystem fileSystem, SessionSettings settings, SessionEvents events, Negotiated negotiated)
            throws LinuxException {
        int maxWrite = Math.max(settings.maxWrite(), negotiated.maxWrite());
        DeviceSession session = new DeviceSession(device, fileSystem, settings, events, maxWrite);
        session.agree(negotiated);
        session.started.complete(negotiated);
        session.startThreads();
        if (negotiated.has(Capability.HAS_RESEND)) {
            session.notifications.resend();
        }
        return session;
    }

    private void startThreads() {
        running.set(threads.size());
        threads.forEach(each -> each.thread().start());
    }

    private void agree(Negotiated negotiated) {
        connection.minor = negotiated.minor();
        dispatcher = new Dispatcher(fileSystem, negotiated);
        fileSystem.started(negotiated, notifications);
    }

    Dispatcher dispatcher() {
        Dispatcher agreed = dispatcher;
        if (agreed == null) {
            throw new IllegalStateException("the kernel sent a request before INIT");
        }
        return agreed;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Handles INIT. */
    void negotiate(RequestBytes request, InlineAnswer answer) throws MalformedRequestException {
        InitRequest kernel = InitRequest.read(request);
        switch (Negotiation.of(kernel, settings, PageMemory.pageSize())) {
            case Negotiation.AskAgain() -> answer.init(InitReply::otherMajor);
            case Negotiation.Refused(String reason) -> {
                endBecause(new SessionEnd.Failed(reason));
                answer.error(Errno.EPROTO);
            }
            case Negotiation.Agreed(Negotiated terms) -> {
                try {
                    agree(terms);
                } catch (RuntimeException | Error e) {
                    endBecause(new SessionEnd.Failed("the file system could not start: " + e));
                    answer.failed(e);
                    return;
                }
                answer.init((out, at) -> InitReply.write(out, at, terms, kernel.minor()));
                started.complete(terms);
            }
        }
    }

    /** Whether a device thread goes on after a read that failed. */
    boolean goesOnAfter(int errno) {
        return switch (errno) {
            // The caller was killed before its request could be read; a signal; both are nothing.
            case Errno.ENOENT, Errno.EINTR, Errno.EAGAIN -> true;
            case Errno.ENODEV -> {
                endBecause(stopping ? new SessionEnd.Stopped() : new SessionEnd.Unmounted());
                yield false;
            }
            case Errno.ECONNABORTED -> {
                endBecause(new SessionEnd.Aborted());
                yield false;
            }
            case Errno.EPERM -> {
                endBecause(new SessionEnd.Failed("the FUSE device is not tied to a mount; mount it before serving it"));
                yield false;
            }
            default -> {
                endBecause(new SessionEnd.Failed("reading the FUSE device failed: " + Errno.name(errno)));
                yield false;
            }
        };
    }

    private void endBecause(SessionEnd why) {
        cause.compareAndSet(null, why);
        stopping = true;
    }

    /** Again and again, because a signal that hits a thread just before its read is lost. */
    private void wakeUntilEnded() {
        while (running.get() > 0) {
            threads.forEach(DeviceThread::wake);
            LockSupport.parkNanos(WAKE_AGAIN.toNanos());
        }
    }

    void interrupt(long target) {
        connection.counters.interrupts.increment();
        interrupts.deliver(target);
    }

    /** The first thread to end gets the others out of their reads; the last one does what is left. */
    void threadEnded() {
        stopping = true;
        if (running.decrementAndGet() > 0) {
            if (waking.compareAndSet(false, true)) {
                wakeUntilEnded();
            }
            return;
        }
        SessionEnd why = cause.get();
        SessionEnd end = why == null ? new SessionEnd.Stopped() : why;
        try {
            if (end instanceof SessionEnd.Stopped) {
                giveUpPending();
            } else {
                cancelReaders();
            }
            fileSystem.ended();
        } catch (RuntimeException | Error e) {
            connection.handlerFailed(Operation.DESTROY, 0, e);
        } finally {
            connection.device.close();
            started.cancel(false);
            ended.complete(end);
        }
    }

    /** Those that only look may stop: nobody waits for them. What changes something goes on, and its answer goes nowhere. */
    private void cancelReaders() {
        for (LaterAnswer each : connection.pending.all()) {
            switch (each.operation()) {
                case LOOKUP,
                        GETATTR,
                        READ,
                        READDIR,
                        READDIRPLUS,
                        OPEN,
                        OPENDIR,
                        STATFS,
                        READLINK,
                        GETXATTR,
                        LISTXATTR -> each.cancel();
                default -> {}
            }
        }
    }

    /** The mount goes on elsewhere: what is not answered in time is left for the next process. */
    private void giveUpPending() {
        try {
            connection.pending.awaitEmpty(grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (LaterAnswer each : connection.pending.all()) {
            each.drop();
            each.cancel();
        }
    }

    @Override
    public Optional<Negotiated> awaitStarted(Duration timeout) throws InterruptedException {
        try {
            return Optional.of(started.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException | java.util.concurrent.CancellationException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<Negotiated> negotiated() {
        return started.isDone() && !started.isCancelled() ? Optional.of(started.join()) : Optional.empty();
    }

    @Override
    public Optional<SessionEnd> awaitEnd(Duration timeout) throws InterruptedException {
        try {
            return Optional.of(ended.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public SessionEnd awaitEnd() throws InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void stop(Duration patience) throws InterruptedException {
        grace = patience;
        endBecause(new SessionEnd.Stopped());
        wakeUntilEnded();
        awaitEnd();
    }

    @Override
    public SessionCounters counters() {
        return connection.counters.snapshot(connection.pending.size());
    }
}
