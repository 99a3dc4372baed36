package s3csi.driver.node.process;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.Pulse;
import s3csi.driver.node.source.CredentialFiles;
import s3csi.driver.node.source.MountedSource;
import s3csi.driver.node.source.SourceDevices;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.driver.node.source.SourceKeys;
import s3csi.driver.node.source.SourceMount;
import s3csi.driver.node.source.SourceUses;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Directory;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.NodeCause;
import s3csi.volume.Printable;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.EngineInstructions;
import s3csi.volume.mount.EngineKind;
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

    private static final int LONGEST_WORDS = 4000;

    private final MountCalls mounts;
    private final EngineHost host;
    private final Path plugin;
    private final Supplier<StoreKeys> driverKeys;
    private final Map<String, String> driverEnvironment;
    private final SourceDevices devices;
    private final SourceMount sourceMount;

    SourceKeeper(
            MountCalls mounts,
            EngineHost host,
            Path plugin,
            Supplier<StoreKeys> driverKeys,
            Map<String, String> driverEnvironment) {
        this.mounts = mounts;
        this.host = host;
        this.plugin = plugin;
        this.driverKeys = driverKeys;
        this.driverEnvironment = Map.copyOf(driverEnvironment);
        this.devices = new SourceDevices(mounts);
        this.sourceMount = new SourceMount(mounts, devices);
    }

    /** The source as it has to be: mounted, served, with current keys. */
    MountedSource provide(SourceDirectory source, VolumeMount mount, Deadline deadline) {
        Optional<MountEntry> present = mounts.topAt(source.mount());
        if (present.isPresent() && isServed(source, present.get())) {
            return takenUp(source, mount, present.get().device());
        }
        if (present.isPresent() || source.exists()) {
            LOG.warn("what is left of {} is taken away before it is mounted again", source.name());
            if (source.notes().wasServed()) {
                letFinish(source, deadline);
            }
            destroy(source);
        }
        return create(source, mount, deadline);
    }

    /** A source that is mounted and served, with whatever is missing of its notes: a driver may have been killed before it wrote them. */
    private MountedSource takenUp(SourceDirectory source, VolumeMount mount, DeviceNumber device) {
        if (!source.exists()) {
            LOG.warn("the directory {} of a source that is in use was removed; it is made again", source.comm());
            source.create(SourceIdentity.of(mount));
        }
        if (source.notes().servedDevice().isEmpty()) {
            source.notes().noteServed(device);
        }
        keys(source, mount).write(mount);
        return new MountedSource(source.name(), source.mount(), device);
    }

    /**
     * Lets an engine that lost its mount, or loses it now, store what was closed last: only then may another take its place. Killed, it
     * would lose what a close has promised; beside another, it could overwrite what that one stores.
     */
    private void letFinish(SourceDirectory source, Deadline deadline) {
        Optional<OwnedEngine> engine = host.find(source);
        if (engine.isEmpty()) {
            return;
        }
        if (mounts.topAt(source.mount()).isPresent()) {
            sourceMount.takeAway(source.mount());
        }
        if (!engine.get().awaitEnd(deadline.atMost(END_PATIENCE))) {
            throw new VolumeFailure(new NodeCause.EngineSilent(
                    source.name(),
                    "the engine of its last workloads (" + engine.get() + ") still stores what they wrote"));
        }
    }

    /**
     * Whether workloads use the source although it is not at its place any more: somebody unmounted it there, which ends no mount that
     * was bound from it. Device numbers are used again, so a number counts only as long as the engine runs and no other source has it.
     */
    boolean isDisplaced(SourceDirectory source) {
        Optional<DeviceNumber> device = source.notes().servedDevice();
        return device.isPresent()
                && mounts.topAt(source.mount()).isEmpty()
                && mounts.any(entry ->
                        entry.device().equals(device.get()) && MountCalls.isOurs(entry) && !entry.isBelow(plugin))
                && !mounts.any(entry -> entry.device().equals(device.get()) && entry.isBelow(plugin))
                && host.find(source).isPresent();
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
            source.create(SourceIdentity.of(mount));
            notedUploads(mount).create();
            keys(source, mount).write(mount);
            OwnedEngine engine = host.start(source);
            try {
                MountedSource made = sourceMount.mount(order(source, mount, engine), deadline);
                // The engine has a descriptor of its own, and the mount shall end with it.
                devices.letGo(source.name());
                source.notes().noteServed(made.device());
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

    private SourceMount.Order order(SourceDirectory source, VolumeMount mount, OwnedEngine engine) {
        return new SourceMount.Order(
                source.name(),
                source.mount(),
                source.comm(),
                message(source, mount),
                mount.plan().readOnly(),
                engine,
                engine::isPeer,
                mount.source(),
                "the driver's log");
    }

    private MountMessage message(SourceDirectory source, VolumeMount mount) {
        EngineInstructions told = EngineInstructions.of(mount.attributes(), mount.plan(), EngineKind.OURS)
                .withStore(driverEnvironment)
                .withUploadNotes(notedUploads(mount).directory().toString())
                .withCache(source.cache().toString());
        return mount.keys()
                .map(_ -> told.withKeys(
                        profile(source, mount), source.credentials().toString()))
                .orElse(told)
                .message();
    }

    private NotedUploads notedUploads(VolumeMount mount) {
        return NotedUploads.of(plugin, SourceIdentity.of(mount));
    }

    private static ProfileFiles profile(SourceDirectory source, VolumeMount mount) {
        return ProfileFiles.of(source.name(), mount.volume());
    }

    /** The keys that the engine of the source works with. */
    SourceKeys keys(SourceDirectory source, VolumeMount mount) {
        return new SourceKeys(
                new CredentialFiles(() -> Directory.at(source.credentials()), profile(source, mount)), driverKeys);
    }

    /** Whether the source is mounted with other keys than these. */
    boolean hasOtherKeys(SourceDirectory source, VolumeMount mount) {
        return mount.keys().isPresent()
                && mounts.topAt(source.mount()).isPresent()
                && keys(source, mount).differFrom(mount);
    }

    private boolean isUsed(DeviceNumber device) {
        return new SourceUses(mounts, plugin).exist(device);
    }

    /** Ends a source that no target uses: unmounts it and lets its engine finish. What cannot end yet is left for later. */
    void endIfUnused(SourceDirectory source) {
        Optional<MountEntry> entry = mounts.topAt(source.mount());
        if (!source.exists() || (entry.isPresent() ? isUsed(entry.get().device()) : isDisplaced(source))) {
            return;
        }
        announceEnd(source);
        if (entry.isPresent() && !unmountGently(source, entry.get())) {
            LOG.warn("{} is still in use on this node; it will be unmounted later", source.mount());
            return;
        }
        Optional<OwnedEngine> engine = host.find(source);
        if (engine.isPresent() && !hasEnded(engine.get(), source.notes().wasServed(), entry.isPresent())) {
            LOG.warn(
                    "the engine of {} ({}) has not ended yet; it will be looked at later", source.name(), engine.get());
            return;
        }
        remove(source);
        LOG.info("the driver removed the unused source {}", source.name());
    }

    /** That it cannot be written, as on a disk that is full, must not keep mount and engine alive: they may be what fills it. */
    private static void announceEnd(SourceDirectory source) {
        try {
            source.writeExit();
        } catch (VolumeFailure e) {
            LOG.warn("the engine of {} is not told that its end is wanted: {}", source.name(), e.getMessage());
        }
    }

    private void remove(SourceDirectory source) {
        Optional<SourceIdentity> identity = source.notes().identity();
        source.remove();
        if (identity.isPresent() && !hasSource(identity.get())) {
            NotedUploads.of(plugin, identity.get()).removeWhatIsDone();
        }
    }

    /** Whether the volume has another source, whose engine may be writing notes. */
    private boolean hasSource(SourceIdentity wanted) {
        return SourceDirectory.allIn(plugin).stream()
                .flatMap(source -> source.notes().identity().stream())
                .anyMatch(other ->
                        other.volume().equals(wanted.volume()) && other.bucket().equals(wanted.bucket()));
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
    private static boolean hasEnded(OwnedEngine engine, boolean wasServed, boolean wasMounted) {
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
        devices.letGo(source.name());
        Optional<OwnedEngine> engine = host.find(source);
        if (engine.isPresent()) {
            engine.get().kill();
            if (!engine.get().awaitEnd(KILL_PATIENCE)) {
                throw new VolumeFailure(new NodeCause.EngineSilent(source.name(), engine.get() + " does not end"));
            }
        }
        remove(source);
    }
}
