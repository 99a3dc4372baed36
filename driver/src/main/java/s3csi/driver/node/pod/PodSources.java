package s3csi.driver.node.pod;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.Pulse;
import s3csi.driver.node.source.MountSender;
import s3csi.driver.node.source.MountedSource;
import s3csi.driver.node.source.SourceDevices;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.driver.node.source.SourceKeys;
import s3csi.driver.node.source.SourceMount;
import s3csi.driver.node.source.SourceUses;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.NodeCause;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.EngineInstructions;
import s3csi.volume.mount.EngineKind;
import s3csi.volume.mount.KubeletPaths;
import s3csi.volume.mount.MountMessage;
import s3csi.volume.mount.PodPaths;
import s3csi.volume.mount.ProfileFiles;

/** The sources of Mountpoint Pods, mounted and unmounted. Whoever calls holds the source's lock. */
final class PodSources {
    private static final Logger LOG = LoggerFactory.getLogger(PodSources.class);
    private static final Duration PULSE_PATIENCE = Duration.ofSeconds(5);

    private final MountCalls mounts;
    private final Assignments assignments;
    private final Path plugin;
    private final KubeletPaths kubelet;
    private final Supplier<StoreKeys> driverKeys;
    private final Map<String, String> store;
    private final MountSender.PeerRule taker;
    private final SourceDevices devices;
    private final SourceMount sourceMount;
    private final UnmountedSources unmounted;

    PodSources(
            MountCalls mounts,
            Assignments assignments,
            Path plugin,
            KubeletPaths kubelet,
            Supplier<StoreKeys> driverKeys,
            Map<String, String> store,
            MountSender.PeerRule taker) {
        this.mounts = mounts;
        this.assignments = assignments;
        this.plugin = plugin;
        this.kubelet = kubelet;
        this.driverKeys = driverKeys;
        this.store = Map.copyOf(store);
        this.taker = taker;
        this.devices = new SourceDevices(mounts);
        this.sourceMount = new SourceMount(mounts, devices);
        this.unmounted = new UnmountedSources(mounts, plugin, assignments.namespace());
    }

    PodSource source(String name) {
        return PodSource.in(plugin, name);
    }

    UnmountedSources unmounted() {
        return unmounted;
    }

    PodComm comm(ServingPod pod) {
        return new PodComm(Path.of(kubelet.comm(pod.uid())));
    }

    /** The source as it has to be: mounted, and served by the engine in the pod. */
    MountedSource provide(ServingPod pod, VolumeMount mount, Deadline deadline) {
        PodSource source = source(pod.name());
        if (mounts.topAt(source.mount()).isEmpty()) {
            unmounted.putBack(source);
        }
        Optional<MountEntry> present = mounts.topAt(source.mount());
        if (present.isPresent() && isServed(source, present.get())) {
            return takenUp(source, mount, present.get().device());
        }
        if (present.isPresent()) {
            LOG.warn("the mount of Mountpoint Pod {} is dead; it is taken away and mounted again", pod.name());
            sourceMount.takeAway(source.mount());
        }
        return create(source, pod, mount, deadline);
    }

    private boolean isServed(PodSource source, MountEntry entry) {
        return switch (mounts.pulse(source.mount(), entry.device(), PULSE_PATIENCE)) {
            case Pulse.Alive _ -> true;
            case Pulse.Dead _ -> false;
            case Pulse.Silent _ -> {
                // Without targets it never came up and is missed by no workload; with targets it may go on any time.
                if (isUsed(entry.device())) {
                    throw new VolumeFailure(new NodeCause.EngineSilent(
                            source.name(), "its engine did not answer within " + PULSE_PATIENCE.toSeconds() + " s"));
                }
                yield false;
            }
        };
    }

    /** A driver that was killed may not have noted all of it, and a release before this one notes nothing. */
    private static MountedSource takenUp(PodSource source, VolumeMount mount, DeviceNumber device) {
        if (source.notes().identity().isEmpty()) {
            source.note(SourceIdentity.of(mount));
        }
        if (!source.notes().servedDevice().equals(Optional.of(device))) {
            source.notes().noteServed(device);
        }
        return new MountedSource(source.name(), source.mount(), device);
    }

    private MountedSource create(PodSource source, ServingPod pod, VolumeMount mount, Deadline deadline) {
        PodComm comm = comm(pod);
        requireComm(pod, comm);
        boolean hasServed = source.notes().wasServed();
        try {
            source.create(SourceIdentity.of(mount));
            comm.prepare();
            keys(pod, mount).write(mount);
            MountedSource made = sourceMount.mount(order(source, pod, comm, mount), deadline);
            source.notes().noteServed(made.device());
            LOG.info("volume {} is mounted at {} by Mountpoint Pod {}", mount.volume(), source.mount(), pod.name());
            return made;
        } catch (RuntimeException e) {
            // What is known of its targets is needed until they are gone.
            if (!hasServed) {
                removeAfter(source, e);
            }
            throw e;
        } finally {
            // The engine has a descriptor of its own, and the mount shall end with it.
            devices.letGo(source.name());
        }
    }

    private void requireComm(ServingPod pod, PodComm comm) {
        if (!comm.exists()) {
            throw new VolumeFailure(new NodeCause.MountpointPodNotReady(
                    pod.name(),
                    "its directory " + comm.path() + " is not there; KUBELET_PATH must be kubelet's own directory",
                    assignments.namespace()));
        }
    }

    private void removeAfter(PodSource source, RuntimeException failure) {
        try {
            if (mounts.topAt(source.mount()).isEmpty()) {
                source.remove();
            }
        } catch (VolumeFailure e) {
            failure.addSuppressed(e);
            LOG.warn("cannot take {} back yet; it will be tried again: {}", source.name(), e.getMessage());
        }
    }

    private SourceMount.Order order(PodSource source, ServingPod pod, PodComm comm, VolumeMount mount) {
        return new SourceMount.Order(
                source.name(),
                source.mount(),
                comm.path(),
                message(pod, mount),
                mount.plan().readOnly(),
                new PodEngine(assignments, pod),
                taker,
                mount.source(),
                "kubectl logs -n " + assignments.namespace() + " " + pod.name());
    }

    private MountMessage message(ServingPod pod, VolumeMount mount) {
        EngineInstructions told = EngineInstructions.of(mount.attributes(), mount.plan(), pod.engine())
                .withStore(store);
        if (pod.engine() == EngineKind.OURS) {
            told = told.withUploadNotes(PodPaths.UPLOAD_NOTES);
        }
        if (pod.hasAuthorities()) {
            told = told.withStore(Map.of("AWS_CA_BUNDLE", PodPaths.AUTHORITIES));
        }
        if (pod.cacheLimit().isPresent()) {
            told = told.withCacheLimit(pod.cacheLimit().get());
        }
        return (mount.keys().isPresent()
                        ? told.withKeys(profile(pod, mount), PodPaths.COMM + "/" + CommFiles.CREDENTIALS)
                        : told)
                .message();
    }

    private static ProfileFiles profile(ServingPod pod, VolumeMount mount) {
        return ProfileFiles.of(pod.uid(), mount.volume());
    }

    /** The keys that the engine in a pod works with. */
    SourceKeys keys(ServingPod pod, VolumeMount mount) {
        return new SourceKeys(comm(pod).credentials(profile(pod, mount)), driverKeys);
    }

    /**
     * The driver's keys in an engine that a release before this one may have mounted: it named its files after workloads, so every file
     * that is there gets them. Keys of a Secret it put into the environment, from where they cannot be taken back.
     */
    void refreshAdopted(ServingPod pod, VolumeMount mount) {
        if (mount.keys().isPresent() && mount.source() == AuthenticationSource.DRIVER) {
            PodComm comm = comm(pod);
            comm.profiles().forEach(profile -> comm.credentials(profile).write(driverKeys.get()));
        }
    }

    boolean isUsed(DeviceNumber device) {
        return new SourceUses(mounts, plugin).exist(device);
    }

    /**
     * Ends a source that no target uses; false if one does, or something on the node is in it. The engine stores what it has to, and ends
     * by itself.
     */
    boolean isEnded(PodSource source) {
        Optional<MountEntry> entry = mounts.topAt(source.mount());
        if (entry.isPresent() && (isUsed(entry.get().device()) || !isUnmounted(source, entry.get()))) {
            return false;
        }
        if (entry.isEmpty() && unmounted.target(source).isPresent()) {
            return false;
        }
        devices.letGo(source.name());
        source.remove();
        return true;
    }

    /** An engine that does not answer cannot lose anything by being cut off. */
    private boolean isUnmounted(PodSource source, MountEntry entry) {
        if (mounts.unmount(source.mount(), Unmount.PLAIN)) {
            return true;
        }
        if (mounts.pulse(source.mount(), entry.device(), PULSE_PATIENCE) instanceof Pulse.Alive) {
            return false;
        }
        sourceMount.takeAway(source.mount());
        return mounts.topAt(source.mount()).isEmpty();
    }
}
