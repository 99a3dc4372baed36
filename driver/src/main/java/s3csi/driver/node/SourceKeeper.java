package s3csi.driver.node;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.NodeCause;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.EngineEnvironment;
import s3csi.volume.mount.MountMessage;
import s3csi.volume.mount.ProfileFiles;

/** The life of one source with an engine in a process of its own. Whoever calls holds the source's lock. */
final class SourceKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(SourceKeeper.class);
    private static final Duration PULSE_PATIENCE = Duration.ofSeconds(5);
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);
    /** A process that was killed is gone at once, unless it waits for a disk. */
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

    /** Whoever only looks at a mount, as df does, keeps it busy for a moment. */
    private static final Duration BUSY_PATIENCE = Duration.ofSeconds(2);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(20);

    private static final String CACHE = "--cache=";
    private static final int LONGEST_WORDS = 4000;

    private final MountCalls mounts;
    private final EngineHost host;
    private final Path plugin;
    private final Path targetRoot;
    private final Map<String, String> driverEnvironment;
    private final SourceMount sourceMount;

    SourceKeeper(
            MountCalls mounts, EngineHost host, Path plugin, Path targetRoot, Map<String, String> driverEnvironment) {
        this.mounts = mounts;
        this.host = host;
        this.plugin = plugin;
        this.targetRoot = targetRoot;
        this.driverEnvironment = Map.copyOf(driverEnvironment);
        this.sourceMount = new SourceMount(mounts);
    }

    /** The source as it has to be: mounted, served, with current keys. */
    MountedSource provide(SourceDirectory source, VolumeMount mount, Deadline deadline) {
        Optional<MountEntry> present = mounts.topAt(source.mount());
        if (present.isPresent() && isServed(source, present.get())) {
            writeKeys(source, mount);
            return new MountedSource(
                    source.name(), source.mount(), present.get().device());
        }
        if (present.isPresent() || source.exists()) {
            LOG.warn("what is left of {} is taken away before it is mounted again", source.name());
            destroy(source);
        }
        return create(source, mount, deadline);
    }

    private boolean isServed(SourceDirectory source, MountEntry entry) {
        return switch (mounts.pulse(source.mount(), entry.device(), PULSE_PATIENCE)) {
            case Pulse.Alive _ -> true;
            case Pulse.Dead _ -> false;
            case Pulse.Silent _ -> {
                // Without targets it never came up and nobody misses it; with targets it may go on any time.
                if (isUsed(entry.device())) {
                    throw new VolumeFailure(new NodeCause.EngineSilent(
                            source.name(), "its engine did not answer within " + PULSE_PATIENCE.toSeconds() + " s"));
                }
                yield false;
            }
        };
    }

    private MountedSource create(SourceDirectory source, VolumeMount mount, Deadline deadline) {
        mount.plan().warnings().forEach(warning -> LOG.warn("volume {}: {}", mount.volume(), warning));
        try {
            source.create(mount.volume());
            writeKeys(source, mount);
            Engine engine = host.start(source);
            try {
                MountedSource made = sourceMount.mount(order(source, mount, engine), deadline);
                source.noteServed();
                LOG.info("volume {} is mounted at {} by {}", mount.volume(), source.mount(), engine);
                return made;
            } catch (RuntimeException e) {
                // The engine's log goes with its directory; what it said last is kept in ours.
                String words = new String(engine.lastWords(), StandardCharsets.UTF_8);
                LOG.warn("volume {}: the engine said: {}", mount.volume(), Printable.oneLine(words, LONGEST_WORDS));
                throw e;
            }
        } catch (RuntimeException e) {
            destroyAfter(source, e);
            throw e;
        }
    }

    private SourceMount.Order order(SourceDirectory source, VolumeMount mount, Engine engine) {
        return new SourceMount.Order(
                source.name(),
                source.mount(),
                source.comm(),
                message(source, mount),
                mount.plan().readOnly(),
                engine,
                "the driver's log");
    }

    private MountMessage message(SourceDirectory source, VolumeMount mount) {
        EngineEnvironment environment = new EngineEnvironment(mount.attributes().proxies()).putAll(driverEnvironment);
        if (mount.keys().isPresent()) {
            environment.putAll(
                    profile(source, mount).environment(source.credentials().toString()));
        }
        environment.putAll(mount.plan().environment());
        return new MountMessage(mount.attributes().bucket(), arguments(source, mount), environment.lines());
    }

    /** A cache is the source's own, whatever directory the volume names: it could be another volume's. */
    private static List<String> arguments(SourceDirectory source, VolumeMount mount) {
        return mount.plan().arguments().stream()
                .map(argument -> argument.startsWith(CACHE) ? CACHE + source.cache() : argument)
                .toList();
    }

    private static ProfileFiles profile(SourceDirectory source, VolumeMount mount) {
        return ProfileFiles.of(source.name(), mount.volume());
    }

    private static CredentialFiles credentials(SourceDirectory source, VolumeMount mount) {
        return new CredentialFiles(source.credentials(), profile(source, mount));
    }

    void writeKeys(SourceDirectory source, VolumeMount mount) {
        mount.keys().ifPresent(keys -> credentials(source, mount).write(keys));
    }

    /** Whether the source is mounted with other keys than these. */
    boolean hasOtherKeys(SourceDirectory source, VolumeMount mount) {
        return mount.keys().isPresent()
                && mounts.topAt(source.mount()).isPresent()
                && !credentials(source, mount).hold(mount.keys().get());
    }

    /** Whether a workload uses it. What other mount namespaces and the plugin's own directory show does not count. */
    private boolean isUsed(DeviceNumber device) {
        return mounts.table().stream()
                .anyMatch(
                        entry -> entry.device().equals(device) && entry.isBelow(targetRoot) && !entry.isBelow(plugin));
    }

    /** Ends a source that no target uses: unmounts it and lets its engine finish. What cannot end yet is left for later. */
    void endIfUnused(SourceDirectory source) {
        Optional<MountEntry> entry = mounts.topAt(source.mount());
        if (!source.exists() || (entry.isPresent() && isUsed(entry.get().device()))) {
            return;
        }
        source.writeExit();
        if (entry.isPresent() && !unmountGently(source, entry.get())) {
            LOG.warn("{} is still in use on this node; it will be unmounted later", source.mount());
            return;
        }
        Optional<Engine> engine = host.find(source);
        if (engine.isPresent() && !hasEnded(engine.get(), source.wasServed(), entry.isPresent())) {
            LOG.warn(
                    "the engine of {} ({}) has not ended yet; it will be looked at later", source.name(), engine.get());
            return;
        }
        source.remove();
        LOG.info("{} was used by nobody and is gone", source.name());
    }

    /** An engine that does not answer cannot lose anything by being cut off; any other is not. */
    private boolean unmountGently(SourceDirectory source, MountEntry entry) {
        Deadline deadline = Deadline.after(BUSY_PATIENCE);
        while (!mounts.unmount(source.mount(), Unmount.PLAIN)) {
            if (deadline.isOver()) {
                return isCutOff(source, entry);
            }
            LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
        }
        return true;
    }

    private boolean isCutOff(SourceDirectory source, MountEntry entry) {
        if (mounts.pulse(source.mount(), entry.device(), PULSE_PATIENCE) instanceof Pulse.Alive) {
            return false;
        }
        sourceMount.takeAway(source.mount());
        return true;
    }

    /** An engine whose mount is gone finishes and ends by itself. One that never served, or takes its time once more, is ended. */
    private static boolean hasEnded(Engine engine, boolean wasServed, boolean wasMounted) {
        if (wasServed && (engine.awaitEnd(END_PATIENCE) || wasMounted)) {
            return !engine.isAlive();
        }
        engine.kill();
        return engine.awaitEnd(KILL_PATIENCE);
    }

    private void destroyAfter(SourceDirectory source, RuntimeException failure) {
        try {
            destroy(source);
        } catch (VolumeFailure e) {
            failure.addSuppressed(e);
            LOG.warn("cannot take {} back yet; it will be tried again: {}", source.name(), e.getMessage());
        }
    }

    /** Takes away at once what cannot be used any more. */
    private void destroy(SourceDirectory source) {
        if (mounts.topAt(source.mount()).isPresent()) {
            sourceMount.takeAway(source.mount());
        }
        Optional<Engine> engine = host.find(source);
        if (engine.isPresent()) {
            engine.get().kill();
            if (!engine.get().awaitEnd(KILL_PATIENCE)) {
                throw new VolumeFailure(new NodeCause.EngineSilent(source.name(), engine.get() + " does not end"));
            }
        }
        source.remove();
    }
}
