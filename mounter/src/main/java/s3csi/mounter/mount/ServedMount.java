package s3csi.mounter.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.FileSystemConfig;
import s3csi.filesystem.OpenBucket;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.fuse.KernelWishes;
import s3csi.fuse.Negotiated;
import s3csi.fuse.session.FuseSession;
import s3csi.fuse.session.SessionEnd;
import s3csi.fuse.session.SessionSettings;
import s3csi.linux.FuseDevice;
import s3csi.linux.LinuxException;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.metrics.MetricName;
import s3csi.mounter.metrics.Metrics;
import s3csi.mounter.metrics.ProcessMemory;
import s3csi.mounter.metrics.SessionMetrics;
import s3csi.mounter.metrics.StoreMetrics;
import s3csi.s3.ObjectStore;

/** A mount that is being served, with all that belongs to it. */
public final class ServedMount {
    private static final Logger LOG = LoggerFactory.getLogger(ServedMount.class);

    private static final Duration INIT_PATIENCE = Duration.ofSeconds(20);
    /** How long requests under way may go on after we were told to stop; writers need it for their last part. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Deque<Runnable> takedown = new ArrayDeque<>();
    private final Attachment attachment;
    private volatile boolean isDetached;
    private @Nullable FuseSession session;
    private volatile @Nullable OpenBucket bucket;

    private ServedMount(Attachment attachment) {
        this.attachment = attachment;
        takedown.push(attachment::release);
    }

    /**
     * Makes the mount. It can be used when this returns; if it throws, nothing is left of it.
     *
     * @param version for the store's logs
     */
    public static ServedMount start(MountConfig config, String version, Metrics metrics)
            throws StartFailure, InterruptedException {
        return start(Attachment.to(config), config, version, metrics);
    }

    /** Serves a device that somebody has mounted; it is closed when the mount ends, or when this throws. */
    public static ServedMount start(FuseDevice mounted, MountConfig config, String version, Metrics metrics)
            throws StartFailure, InterruptedException {
        return start(new Attachment.Given(mounted), config, version, metrics);
    }

    private static ServedMount start(Attachment attachment, MountConfig config, String version, Metrics metrics)
            throws StartFailure, InterruptedException {
        ServedMount mount = new ServedMount(attachment);
        boolean started = false;
        try {
            mount.begin(config, version, metrics);
            started = true;
            return mount;
        } finally {
            if (!started) {
                mount.close();
            }
        }
    }

    private void begin(MountConfig config, String version, Metrics metrics) throws StartFailure, InterruptedException {
        long memory = MemoryPlan.budget(
                config.client().memoryTarget(),
                MemoryPlan.containerLimit(Path.of("/")),
                Runtime.getRuntime().maxMemory());
        LOG.info("memory for data is {} MiB", memory >> 20);
        FileSystemConfig files = PartSizes.fitted(
                config.files().withMemory(memory),
                config.client().memoryTarget().isPresent());
        metrics.gauge(MetricName.PROCESS_MEMORY_USAGE, ProcessMemory::resident);

        ObjectStore store = StoreFactory.open(config, version, new StoreMetrics(metrics));
        takedown.push(store::close);
        OpenBucket opened = open(store, files);
        bucket = opened;
        takedown.push(opened::close);
        metrics.gauge(MetricName.FS_INODES, opened::inodes);
        metrics.gauge(MetricName.POOL_BYTES_IN_USE, opened::memoryInUse);
        if (files.cache() != null) {
            metrics.gauge(MetricName.CACHE_TOTAL_SIZE, opened::bytesOnDisk);
        }

        FuseDevice device = attachment.attach(config);
        takedown.push(device::close);
        takedown.push(this::detach);
        SessionSettings settings = session(opened.wishes(), config, memory);
        metrics.gauge(MetricName.FUSE_TOTAL_THREADS, settings::threads);
        try {
            FuseSession running = FuseSession.start(device, opened.fileSystem(), settings, new SessionMetrics(metrics));
            session = running;
            takedown.push(() -> end(running));
            if (running.awaitStarted(INIT_PATIENCE).isEmpty()) {
                throw new StartFailure(
                        "Failed to create FUSE session", new StartFailure(reasonOf(running.awaitEnd(Duration.ZERO))));
            }
            LOG.debug("settled with the kernel: {}", negotiated());
        } catch (LinuxException e) {
            throw new StartFailure("Failed to create FUSE session", e);
        }
        attachment.tune();
    }

    private static String reasonOf(Optional<SessionEnd> end) {
        return end.map(why -> switch (why) {
                    case SessionEnd.Failed(String reason) -> reason;
                    case SessionEnd.Unmounted() -> "the mount was gone before it could be served";
                    case SessionEnd.Aborted() -> "the connection was aborted before it could be served";
                    case SessionEnd.Stopped() -> "told to stop before the mount was served";
                })
                .orElse("the kernel did not begin to use the mount within " + INIT_PATIENCE.toSeconds() + " seconds");
    }

    private static OpenBucket open(ObjectStore store, FileSystemConfig files) throws StartFailure {
        CacheSettings cache = files.cache();
        try {
            if (cache != null) {
                Files.createDirectories(cache.directory());
            }
        } catch (IOException e) {
            throw new StartFailure("failed to create cache directory " + cache.directory(), e);
        }
        try {
            return OpenBucket.open(store, files);
        } catch (LinuxException e) {
            throw new StartFailure("no memory for data; lower --memory-target", e);
        }
    }

    private static SessionSettings session(KernelWishes wishes, MountConfig config, long memory) {
        SessionSettings defaults = SessionSettings.defaults();
        return defaults.withThreads(Math.min(defaults.threads(), config.client().maxThreads()))
                .withWishes(wishes)
                .withMostKept(MemoryPlan.waitingWrites(memory))
                .withAccess(config.access());
    }

    /** Waits until the mount is gone, by whoever's will. */
    public SessionEnd awaitEnd() throws InterruptedException {
        FuseSession running = session;
        if (running == null) {
            throw new IllegalStateException("a mount that was never started has no end");
        }
        return running.awaitEnd();
    }

    /** Ends the serving: what comes from now on is refused, what is under way may finish shortly. */
    public void stop() throws InterruptedException {
        FuseSession running = session;
        boolean endsByItself = detach();
        if (running != null && !(endsByItself && running.awaitEnd(GRACE).isPresent())) {
            running.stop(GRACE);
        }
    }

    /** What was settled with the kernel for as long as the mount lives, whoever serves it. */
    public Negotiated negotiated() {
        FuseSession running = session;
        if (running == null) {
            throw new IllegalStateException("a mount that was never started has settled nothing with the kernel");
        }
        return running.negotiated().orElseThrow();
    }

    /** The keys of files that are lost if the process ends now. */
    public List<String> unstored() {
        OpenBucket opened = bucket;
        return opened == null ? List.of() : opened.unstored();
    }

    /** Gives everything back, and first finishes or aborts the uploads. */
    public void close() {
        while (!takedown.isEmpty()) {
            takedown.pop().run();
        }
    }

    /** Only once, and not after somebody else did it: the next mount at the path would be theirs. */
    private synchronized boolean detach() {
        if (isDetached) {
            return false;
        }
        isDetached = true;
        return attachment.detach();
    }

    private void end(FuseSession running) {
        try {
            Optional<SessionEnd> end = running.awaitEnd(Duration.ZERO);
            if (end.isEmpty()) {
                running.stop(GRACE);
            } else if (end.get() instanceof SessionEnd.Unmounted) {
                isDetached = true;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
