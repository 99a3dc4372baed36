package s3csi.driver.node.pod;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.Mounter;
import s3csi.driver.node.PublishReader.WithoutSecret;
import s3csi.driver.node.Published;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.source.MountSender;
import s3csi.driver.node.source.MountedSource;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.driver.node.source.SourceLocks;
import s3csi.driver.node.source.TargetNotes.Note;
import s3csi.driver.node.target.BindMounts;
import s3csi.driver.node.target.Target;
import s3csi.kubernetes.MountpointPod.PublishSecret;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.NodeCause;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.EngineKind;
import s3csi.volume.mount.KubeletPaths;
import s3csi.volume.mount.Workload;

/** Engines in Mountpoint Pods. Which of them serves a workload is the controller's decision; a source ends when the controller says so. */
public final class PodMounter implements Mounter, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodMounter.class);

    /** For the mount itself, after its Mountpoint Pod was waited for. */
    private static final Duration TO_MOUNT = Duration.ofSeconds(15);

    /** Mountpoint Pods never run as root, whatever their release. */
    private static final MountSender.PeerRule NOT_ROOT = peer -> peer.uid() != 0;

    private final MountCalls mounts;
    private final BindMounts targets;
    private final Path plugin;
    private final Assignments assignments;
    private final PodSources sources;
    private final SourceLocks locks = new SourceLocks();
    private final PodUnmounts unmounts;
    private final HostKeys hostKeys;
    private final Supplier<StoreKeys> driverKeys;
    private final Warnings warnings;

    /** Who tells a workload what of its volume's options does not take effect. */
    @FunctionalInterface
    public interface Warnings {
        void tell(VolumeMount mount);
    }

    /**
     * A mounter that finds its sources again in the mount table.
     *
     * @param plugin directory of the driver, as the mount table writes it
     * @param driverKeys the driver's own, as they are now
     * @param store what every engine is told about the store
     */
    public PodMounter(
            MountCalls mounts,
            BindMounts targets,
            Assignments assignments,
            Path plugin,
            KubeletPaths kubelet,
            Supplier<StoreKeys> driverKeys,
            Map<String, String> store,
            Warnings warnings) {
        this(mounts, targets, assignments, plugin, kubelet, driverKeys, store, warnings, NOT_ROOT);
    }

    /** The same with a rule of its own for who may take a mount over. */
    PodMounter(
            MountCalls mounts,
            BindMounts targets,
            Assignments assignments,
            Path plugin,
            KubeletPaths kubelet,
            Supplier<StoreKeys> driverKeys,
            Map<String, String> store,
            Warnings warnings,
            MountSender.PeerRule taker) {
        this.mounts = mounts;
        this.targets = targets;
        this.plugin = plugin;
        this.assignments = assignments;
        this.warnings = warnings;
        this.driverKeys = driverKeys;
        this.hostKeys = new HostKeys(plugin);
        this.sources = new PodSources(mounts, assignments, plugin, kubelet, driverKeys, store, taker);
        this.unmounts = new PodUnmounts(assignments, sources, locks, () -> PodSource.allIn(plugin));
    }

    @Override
    public void mount(VolumeMount mount, Target target, Deadline deadline) {
        Workload workload = workloadOf(target);
        ServingPod pod = assignments.awaitRunning(
                workload,
                mount.volume().text(),
                Deadline.after(deadline.remaining().minus(TO_MOUNT)));
        try (SourceLocks.Held _ = locks.take(pod.name(), deadline)) {
            // The unmounter may have had the lock until now.
            assignments.requireServing(pod);
            MountedSource mounted = sources.provide(pod, mount, deadline);
            PodSource source = sources.source(pod.name());
            requireSame(source, pod, mount);
            refreshKeys(source, pod, target, mount);
            try {
                targets.bind(mounted.path(), target.path(), mount.readOnly());
            } catch (RuntimeException e) {
                source.notes().targets().remove(target.path());
                throw e;
            }
        }
        warnings.tell(mount);
    }

    /**
     * A volume that was deleted and made anew under its name may have another bucket, or other keys. The Mountpoint Pod of the old one
     * must not show it: the controller makes another.
     */
    private void requireSame(PodSource source, ServingPod pod, VolumeMount mount) {
        source.notes()
                .identity()
                .flatMap(identity -> identity.keys() == SourceIdentity.of(mount).keys()
                        ? identity.published(Optional.empty()).differenceTo(mount)
                        : Optional.of("it works with other keys than the volume wants now"))
                .ifPresent(difference -> {
                    throw new VolumeFailure(new NodeCause.MountpointPodNotReady(
                            pod.name(),
                            "it serves an earlier volume of this name: " + difference,
                            assignments.namespace()));
                });
    }

    private static Workload workloadOf(Target target) {
        return target.workload()
                .orElseThrow(() -> VolumeFailure.invalid(
                        "target_path",
                        target + " is not a path that kubelet makes, so it does not say whose it is",
                        "Use <kubelet>/pods/<UID of the pod>/volumes/kubernetes.io~csi/<PersistentVolume>/mount, or start the driver"
                                + " with --mounter=process"));
    }

    /** Whether the driver's own keys may serve a volume that wants those of a Secret and comes without one. */
    public WithoutSecret withoutSecret(Target target, VolumeId volume) {
        Optional<MountEntry> mounted = mounts.topAt(target.path());
        Optional<PodSource> source = mounted.flatMap(entry -> sourceOf(target, entry.device()));
        boolean isOfEarlierRelease = mounted.isPresent() && source.isEmpty();
        boolean allowed;
        if (isOfEarlierRelease) {
            allowed = hostKeys.exist(target, volume);
        } else {
            allowed = source.flatMap(found -> found.notes().identity())
                    .map(identity -> identity.keys() == SourceIdentity.KeyKind.DRIVER)
                    .orElseGet(() -> isWithoutSecret(target, volume));
        }
        return allowed ? WithoutSecret.DRIVER_KEYS : WithoutSecret.REFUSED;
    }

    private boolean isWithoutSecret(Target target, VolumeId volume) {
        return assignments
                        .awaitAssigned(workloadOf(target), volume.text(), Deadline.after(TO_MOUNT))
                        .publishSecret()
                == PublishSecret.NOT_NAMED;
    }

    @Override
    public Optional<Published> published(Target target, DeviceNumber device) {
        return sourceOf(target, device).flatMap(source -> {
            Optional<Boolean> readOnly =
                    source.notes().targets().read(target.path()).map(Note::readOnly);
            return source.notes()
                    .identity()
                    .map(identity -> identity.published(readOnly))
                    // Of a source that a release before this one mounted, the attachment tells as much as there is to
                    // know.
                    .or(() -> assignments
                            .attachmentOf(source.name())
                            .map(attachment ->
                                    new Published(attachment.volume(), "", attachment.fsGroup(), Optional.empty())));
        });
    }

    @Override
    public void refresh(Target target, DeviceNumber device, VolumeMount mount, Deadline deadline) {
        Optional<PodSource> source = sourceOf(target, device);
        if (source.isEmpty()) {
            refreshOnHost(target, mount);
            return;
        }
        hostKeys.remove(target, mount.volume());
        Optional<ServingPod> pod = assignments.pod(source.get().name());
        if (pod.isEmpty()) {
            LOG.debug("no Mountpoint Pod is known for {}; its keys stay as they are", target);
            return;
        }
        try (SourceLocks.Held _ = locks.take(source.get().name(), deadline)) {
            refreshKeys(source.get(), pod.get(), target, mount);
        }
    }

    /** A mount of 1.x: the workload has it until it ends, and its successor gets a Mountpoint Pod. */
    private void refreshOnHost(Target target, VolumeMount mount) {
        if (mount.source() == AuthenticationSource.DRIVER) {
            hostKeys.refresh(target, mount.volume(), driverKeys.get());
        }
    }

    private void refreshKeys(PodSource source, ServingPod pod, Target target, VolumeMount mount) {
        Optional<SourceIdentity> identity = source.notes().identity();
        identity.ifPresent(
                noted -> sources.keys(pod, mount).refresh(noted, source.notes().targets(), target.path(), mount));
        boolean isOfItsKind = identity.map(
                        noted -> noted.keys() == SourceIdentity.of(mount).keys())
                .orElse(true);
        // Also after its first target of this release: the engine goes on reading the files it was told of.
        if (isOfItsKind && (identity.isEmpty() || pod.engine() == EngineKind.MOUNTPOINT)) {
            sources.refreshAdopted(pod, mount);
        }
    }

    /** That of an engine in a process, from before the driver was set up for Mountpoint Pods, is none of ours. */
    private Optional<PodSource> sourceOf(Target target, DeviceNumber device) {
        Path directory = PodSource.mounts(plugin);
        return mounts.select(entry -> entry.device().equals(device) && entry.isBelow(directory)).stream()
                .map(MountEntry::mountPoint)
                .map(at -> directory.relativize(Path.of(at)).toString())
                .filter(name -> !PodSource.isOfProcess(plugin, name))
                .map(sources::source)
                .findFirst()
                .or(() -> sources.unmounted().of(target.path(), device));
    }

    @Override
    public void release(Target target, VolumeId volume, DeviceNumber device, Deadline deadline) {
        hostKeys.remove(target, volume);
        Optional<PodSource> source = sourceOf(target, device);
        if (source.isPresent()) {
            if (source.get().notes().exist()) {
                source.get().notes().targets().remove(target.path());
            }
            unmounts.look(source.get().name());
        }
    }

    @Override
    public void sweep() {
        unmounts.lookAtAll();
    }

    /** Whether no source is being looked at, to be unmounted if need be. */
    boolean isIdle() {
        return unmounts.isIdle();
    }

    @Override
    public void close() {
        unmounts.close();
    }
}
