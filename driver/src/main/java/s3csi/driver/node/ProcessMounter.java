package s3csi.driver.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.DeviceNumber;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.EngineEnvironment;
import s3csi.volume.mount.MountGroup;
import s3csi.volume.mount.Names;

/**
 * Engines as child processes: the pod mounter without Kubernetes. All targets of one volume that agree in options, group and keys share
 * one source; it ends with its last target.
 */
public final class ProcessMounter implements Mounter {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessMounter.class);

    /** How many sources of one volume may differ in nothing but their Secret; more than any volume has tenants. */
    private static final int MOST_SECRETS = 64;

    private final MountCalls mounts;
    private final Path plugin;
    private final SourceKeeper keeper;
    private final SourceLocks locks = new SourceLocks();

    /**
     * A mounter that finds its sources again on disk.
     *
     * @param plugin directory of the driver, for sources and comm directories; as the mount table writes it
     * @param targetRoot only mounts below it count as uses of a source
     * @param driverEnvironment what every engine is told about the store
     */
    public ProcessMounter(
            MountCalls mounts, EngineHost host, Path plugin, Path targetRoot, Map<String, String> driverEnvironment) {
        this.mounts = mounts;
        this.plugin = plugin;
        this.keeper = new SourceKeeper(mounts, host, plugin, targetRoot, driverEnvironment);
    }

    @Override
    public void withSource(VolumeMount mount, Deadline deadline, Consumer<MountedSource> use) {
        for (int number = 0; number < MOST_SECRETS; number++) {
            SourceDirectory source = SourceDirectory.in(plugin, Names.source(facts(mount, number)));
            try (SourceLocks.Held _ = locks.take(source.name(), deadline)) {
                // Whoever brings other keys than a source works with must not get at what those keys show.
                if (mount.source() == AuthenticationSource.SECRET && keeper.hasOtherKeys(source, mount)) {
                    continue;
                }
                MountedSource mounted = keeper.provide(source, mount, deadline);
                try {
                    use.accept(mounted);
                } catch (RuntimeException e) {
                    takeBack(source, e);
                    throw e;
                }
                return;
            }
        }
        throw new VolumeFailure(new NodeCause.NodeExhausted(
                "mount volume " + mount.volume(), "it is mounted with " + MOST_SECRETS + " different Secrets"));
    }

    /** Everything that targets must agree in to share a source. */
    private static List<String> facts(VolumeMount mount, int number) {
        List<String> facts = new ArrayList<>();
        facts.add(mount.volume().text());
        facts.add(mount.attributes().bucket());
        facts.add(mount.source().text());
        facts.add(mount.group().map(MountGroup::text).orElse(""));
        facts.add(mount.plan().readOnly() ? "ro" : "rw");
        facts.add(Integer.toString(number));
        facts.addAll(mount.plan().arguments());
        facts.add("");
        facts.addAll(new EngineEnvironment(mount.attributes().proxies())
                .putAll(mount.plan().environment())
                .lines());
        return facts;
    }

    /** What was made for a use that failed goes, unless others use it. The failure of the use is the one to report. */
    private void takeBack(SourceDirectory source, RuntimeException failure) {
        try {
            keeper.endIfUnused(source);
        } catch (VolumeFailure e) {
            failure.addSuppressed(e);
            LOG.warn("cannot take {} back yet; it will be tried again: {}", source.name(), e.getMessage());
        }
    }

    @Override
    public boolean refresh(Path target, DeviceNumber device, VolumeMount mount, Deadline deadline) {
        Optional<SourceDirectory> source = sourceOf(device);
        if (source.isEmpty()) {
            return false;
        }
        if (!source.get().isOf(mount.volume())) {
            throw new VolumeFailure(new NodeCause.TargetTaken(
                    target.toString(), "another volume than " + mount.volume() + " is mounted there already"));
        }
        try (SourceLocks.Held _ = locks.take(source.get().name(), deadline)) {
            keeper.writeKeys(source.get(), mount);
        }
        return true;
    }

    private Optional<SourceDirectory> sourceOf(DeviceNumber device) {
        Path directory = SourceDirectory.mounts(plugin);
        return mounts.table().stream()
                .filter(entry -> entry.device().equals(device) && entry.isBelow(directory))
                .map(entry -> directory.relativize(Path.of(entry.mountPoint())).toString())
                .map(name -> SourceDirectory.in(plugin, name))
                .filter(SourceDirectory::exists)
                .findFirst();
    }

    @Override
    public void release(DeviceNumber device, Deadline deadline) {
        Optional<SourceDirectory> source = sourceOf(device);
        if (source.isPresent()) {
            try (SourceLocks.Held _ = locks.take(source.get().name(), deadline)) {
                keeper.endIfUnused(source.get());
            }
        }
    }

    /** Ends every source that no target uses: what a driver before this one, or a busy mount, left behind. */
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
