package s3csi.driver.node.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.Mounter;
import s3csi.driver.node.Published;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.source.MountedSource;
import s3csi.driver.node.source.SourceLocks;
import s3csi.driver.node.source.SourceNotes;
import s3csi.driver.node.source.TargetNotes.Note;
import s3csi.driver.node.target.BindMounts;
import s3csi.driver.node.target.Target;
import s3csi.linux.DeviceNumber;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.NodeCause;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.EngineInstructions;
import s3csi.volume.mount.EngineKind;
import s3csi.volume.mount.Names;

/**
 * Engines as child processes: the pod mounter without Kubernetes. All targets of one volume that agree in options, group and keys share
 * one source; it ends with its last target.
 */
public final class ProcessMounter implements Mounter {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessMounter.class);

    /** How many sources of one volume may differ in nothing but their Secret or their place; more than any volume has tenants. */
    private static final int MOST_SOURCES = 64;

    private final MountCalls mounts;
    private final BindMounts targets;
    private final Path plugin;
    private final SourceKeeper keeper;
    private final SourceLocks locks = new SourceLocks();

    /**
     * A mounter that finds its sources again on disk.
     *
     * @param targets where volumes are shown
     * @param plugin directory of the driver, for sources and comm directories; as the mount table writes it
     * @param driverKeys the driver's own, as they are now
     * @param driverEnvironment what every engine is told about the store
     */
    public ProcessMounter(
            MountCalls mounts,
            BindMounts targets,
            EngineHost host,
            Path plugin,
            Supplier<StoreKeys> driverKeys,
            Map<String, String> driverEnvironment) {
        this.mounts = mounts;
        this.targets = targets;
        this.plugin = plugin;
        this.keeper = new SourceKeeper(mounts, host, plugin, driverKeys, driverEnvironment);
    }

    @Override
    public void mount(VolumeMount mount, Target target, Deadline deadline) {
        withSource(
                mount, target.path(), deadline, source -> targets.bind(source.path(), target.path(), mount.readOnly()));
    }

    /**
     * Sees to it that the volume's source is mounted and served and its keys are current, and lets the caller bind it to the target. As
     * long as it is in use, it stays. When the use fails, a source that no other target needs ends.
     */
    void withSource(VolumeMount mount, Path target, Deadline deadline, Consumer<MountedSource> use) {
        for (int number = 0; number < MOST_SOURCES; number++) {
            SourceDirectory source = SourceDirectory.in(plugin, Names.source(facts(mount, number)));
            try (SourceLocks.Held _ = locks.take(source.name(), deadline)) {
                // Whoever brings other keys than a source works with must not get at what those keys show.
                if (mount.source() == AuthenticationSource.SECRET && keeper.hasOtherKeys(source, mount)) {
                    continue;
                }
                // Its workloads go on with their engine; others get one of their own.
                if (keeper.isDisplaced(source)) {
                    continue;
                }
                MountedSource mounted = keeper.provide(source, mount, deadline);
                try {
                    // Before: a target without a note is one that was not made to its end.
                    source.notes().targets().write(target, Note.of(target, mount));
                    use.accept(mounted);
                } catch (RuntimeException e) {
                    takeBack(source, target, e);
                    throw e;
                }
                return;
            }
        }
        throw new VolumeFailure(new NodeCause.NodeExhausted(
                "mount volume " + mount.volume(),
                "it is mounted " + MOST_SOURCES + " times, each with another Secret or unmounted at its place"));
    }

    /** Everything that targets must agree in to share a source. */
    private static List<String> facts(VolumeMount mount, int number) {
        List<String> facts = new ArrayList<>();
        facts.add(mount.volume().text());
        facts.add(mount.attributes().bucket());
        facts.add(mount.source().text());
        facts.add(mount.groupText());
        facts.add(mount.plan().readOnly() ? "ro" : "rw");
        facts.add(Integer.toString(number));
        EngineInstructions told = EngineInstructions.of(mount.attributes(), mount.plan(), EngineKind.OURS);
        facts.addAll(told.arguments());
        facts.add("");
        facts.addAll(told.environment().lines());
        return facts;
    }

    /** What was made for a use that failed goes, unless others use it. The failure of the use is the one to report. */
    private void takeBack(SourceDirectory source, Path target, RuntimeException failure) {
        try {
            source.notes().targets().remove(target);
            keeper.endIfUnused(source);
        } catch (VolumeFailure e) {
            failure.addSuppressed(e);
            LOG.warn("cannot take {} back yet; it will be tried again: {}", source.name(), e.getMessage());
        }
    }

    @Override
    public Optional<Published> published(Target target, DeviceNumber device) {
        return sourceOf(device)
                .flatMap(source -> source.notes()
                        .identity()
                        .map(identity -> identity.published(
                                source.notes().targets().read(target.path()).map(Note::readOnly))));
    }

    @Override
    public void refresh(Target target, DeviceNumber device, VolumeMount mount, Deadline deadline) {
        Optional<SourceDirectory> source = sourceOf(device);
        if (source.isPresent()) {
            try (SourceLocks.Held _ = locks.take(source.get().name(), deadline)) {
                SourceNotes notes = source.get().notes();
                notes.identity()
                        .ifPresent(identity -> keeper.keys(source.get(), mount)
                                .refresh(identity, notes.targets(), target.path(), mount));
            }
        } else {
            LOG.warn("the mount at {} works but has no source of this driver; its keys stay as they are", target);
        }
    }

    private Optional<SourceDirectory> sourceOf(DeviceNumber device) {
        Path directory = SourceDirectory.mounts(plugin);
        return mounts.select(entry -> entry.device().equals(device) && entry.isBelow(directory)).stream()
                .map(entry -> directory.relativize(Path.of(entry.mountPoint())).toString())
                .map(name -> SourceDirectory.in(plugin, name))
                .filter(SourceDirectory::exists)
                .findFirst()
                .or(() -> displacedSourceOf(device));
    }

    /** The one that was mounted with this device, if it is not at its place any more. */
    private Optional<SourceDirectory> displacedSourceOf(DeviceNumber device) {
        return SourceDirectory.allIn(plugin).stream()
                .filter(source ->
                        source.notes().servedDevice().filter(device::equals).isPresent())
                .filter(source -> mounts.topAt(source.mount()).isEmpty())
                .findFirst();
    }

    @Override
    public void release(Target target, VolumeId volume, DeviceNumber device, Deadline deadline) {
        Optional<SourceDirectory> source = sourceOf(device);
        if (source.isPresent()) {
            try (SourceLocks.Held _ = locks.take(source.get().name(), deadline)) {
                source.get().notes().targets().remove(target.path());
                keeper.endIfUnused(source.get());
            }
        }
    }

    @Override
    public void sweep() {
        for (SourceDirectory source : SourceDirectory.allIn(plugin)) {
            Optional<SourceLocks.Held> free = locks.tryTake(source.name(), Deadline.after(Duration.ZERO));
            if (free.isEmpty()) {
                continue;
            }
            try (SourceLocks.Held _ = free.get()) {
                keeper.endIfUnused(source);
            } catch (VolumeFailure e) {
                LOG.warn("cannot clean up {} yet: {}", source.name(), e.getMessage());
            }
        }
    }
}
