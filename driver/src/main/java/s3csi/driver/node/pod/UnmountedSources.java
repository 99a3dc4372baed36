package s3csi.driver.node.pod;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.driver.node.kernel.Pulse;
import s3csi.driver.node.source.SourceNotes;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Directory;
import s3csi.linux.LinuxException;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;

/**
 * Sources that somebody unmounted at their place while workloads have them. Their engines serve the targets as before, and take no other
 * mount; so a source is put back from one of its targets.
 *
 * <p>Its device alone does not tell a source, because the kernel gives numbers again. What does is a target that the driver noted for the
 * source, while no other source has that device.
 *
 * @param namespace of the Mountpoint Pods
 */
record UnmountedSources(MountCalls mounts, Path plugin, String namespace) {
    private static final Logger LOG = LoggerFactory.getLogger(UnmountedSources.class);
    private static final Duration PULSE_PATIENCE = Duration.ofSeconds(5);

    /** The source that a target was noted for. */
    Optional<PodSource> of(Path target, DeviceNumber device) {
        return isAtAPlace(device)
                ? Optional.empty()
                : PodSource.allIn(plugin).stream()
                        .filter(source -> isNoted(source.notes(), target, device))
                        .findFirst();
    }

    private boolean isAtAPlace(DeviceNumber device) {
        Path places = PodSource.mounts(plugin);
        return mounts.any(entry -> entry.device().equals(device) && entry.isBelow(places));
    }

    private static boolean isNoted(SourceNotes notes, Path target, DeviceNumber device) {
        return notes.exist()
                && notes.servedDevice().equals(Optional.of(device))
                && notes.targets().read(target).isPresent();
    }

    /** A target that shows the source. */
    Optional<MountEntry> target(PodSource source) {
        return source.notes()
                .servedDevice()
                .filter(device -> !isAtAPlace(device))
                .flatMap(device -> mounts
                        .select(entry -> entry.device().equals(device)
                                && MountCalls.isOurs(entry)
                                && entry.root().equals("/")
                                && isNoted(source.notes(), Path.of(entry.mountPoint()), device))
                        .stream()
                        .filter(entry ->
                                mounts.topAt(Path.of(entry.mountPoint())).equals(Optional.of(entry)))
                        .min(Comparator.comparing(MountEntry::mountPoint)));
    }

    /** Puts a source back, if one of its targets is served. */
    void putBack(PodSource source) {
        Optional<MountEntry> target = target(source);
        if (target.isEmpty()) {
            requireGone(source);
            return;
        }
        Path from = Path.of(target.get().mountPoint());
        switch (mounts.pulse(from, target.get().device(), PULSE_PATIENCE)) {
            case Pulse.Alive _ -> bind(source, from, target.get().device());
            case Pulse.Silent _ ->
                throw new VolumeFailure(new NodeCause.EngineSilent(
                        source.name(), "its engine did not answer within " + PULSE_PATIENCE.toSeconds() + " s"));
            // Whoever has it gets another mount when it is published again.
            case Pulse.Dead _ -> {}
        }
    }

    private void bind(PodSource source, Path from, DeviceNumber device) {
        source.makePlace();
        try (Directory places = Directory.at(PodSource.mounts(plugin))) {
            mounts.bind(from, places, source.name(), false);
        } catch (LinuxException e) {
            throw NodeFailures.of("open " + PodSource.mounts(plugin), e);
        }
        // A target that ended in between is a directory like any other.
        if (mounts.topAt(source.mount())
                .filter(entry -> entry.device().equals(device))
                .isEmpty()) {
            mounts.unmount(source.mount(), Unmount.DETACH);
            throw unmounted(source);
        }
        LOG.warn(
                "{} was unmounted by hand while workloads used it; the driver mounted it there again from {}",
                source.mount(),
                from);
    }

    /** Without a target of ours, whatever else shows it keeps its engine from taking another mount. */
    private void requireGone(PodSource source) {
        Optional<DeviceNumber> device = source.notes().servedDevice().filter(found -> !isAtAPlace(found));
        if (device.isPresent()
                && mounts.any(entry -> entry.device().equals(device.get()) && MountCalls.isOurs(entry))) {
            throw unmounted(source);
        }
    }

    private VolumeFailure unmounted(PodSource source) {
        return new VolumeFailure(
                new NodeCause.SourceUnmounted(source.name(), source.mount().toString(), namespace));
    }
}
