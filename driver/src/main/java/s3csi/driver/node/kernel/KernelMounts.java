package s3csi.driver.node.kernel;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.BindMount;
import s3csi.linux.Descriptor;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.FileSystemStatus;
import s3csi.linux.FuseConnection;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.LinuxException;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Mounts.Unmount;

/** The real kernel. */
public final class KernelMounts implements MountCalls {
    private static final Logger LOG = LoggerFactory.getLogger(KernelMounts.class);

    /** An unmount may write back what is dirty, and for that it needs the engine. */
    private static final Duration UNMOUNT_PATIENCE = Duration.ofSeconds(5);

    private final BoundedCalls bounded = new BoundedCalls();

    @Override
    public <T> List<T> collect(Function<MountEntry, Stream<T>> wanted) {
        try {
            return MountTable.current().collect(wanted);
        } catch (IOException e) {
            throw NodeFailures.of("read the mount table", e);
        }
    }

    @Override
    public boolean any(Predicate<MountEntry> wanted) {
        try {
            return MountTable.current().any(wanted);
        } catch (IOException e) {
            throw NodeFailures.of("read the mount table", e);
        }
    }

    @Override
    public FuseMount mountFuse(Path at, FuseMountOptions options) {
        FuseDevice device;
        try {
            device = FuseDevice.open();
        } catch (LinuxException e) {
            throw NodeFailures.ofDevice(e);
        }
        try {
            Mounts.mountFuse(device, SOURCE_NAME, at, options);
            return new Opened(device, deviceAt(at));
        } catch (IOException e) {
            device.close();
            throw NodeFailures.of("mount at " + at, e);
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    private DeviceNumber deviceAt(Path at) throws IOException {
        return topAt(at)
                .map(MountEntry::device)
                .orElseThrow(() -> new IOException("what was just mounted is not in the mount table"));
    }

    /** INIT cannot raise what the kernel begins with, so this comes after it. A mount works without, too. */
    @Override
    public void readFarAhead(DeviceNumber device) {
        try {
            FuseConnection.of(device).setReadAhead(FuseConnection.LARGE_READ_AHEAD_KIB);
        } catch (LinuxException e) {
            LOG.info("the kernel's read-ahead of {} stays as it is: {}", device, e.getMessage());
        }
    }

    @Override
    public void bind(Path source, Directory parent, String name, boolean readOnly) {
        try {
            BindMount.attach(source, parent, name, readOnly);
        } catch (IOException e) {
            throw NodeFailures.of("bind " + source + " to " + parent.path().resolve(name), e);
        }
    }

    @Override
    public void makeReadOnly(Directory parent, String name) {
        try {
            BindMount.makeReadOnly(parent, name);
        } catch (IOException e) {
            throw NodeFailures.of("make the mount at " + parent.path().resolve(name) + " read-only", e);
        }
    }

    @Override
    public boolean unmount(Path at, Unmount how) {
        return unmount(at, how, () -> Mounts.unmount(at, how));
    }

    @Override
    public boolean unmount(Directory parent, String name, Unmount how) {
        return unmount(parent.path().resolve(name), how, () -> Mounts.unmount(parent, name, how));
    }

    private interface UnmountCall {
        void run() throws LinuxException;
    }

    private boolean unmount(Path at, Unmount how, UnmountCall call) {
        try {
            return bounded.call(how + " unmount of " + at, Boolean.class, UNMOUNT_PATIENCE, () -> isUnmounted(call))
                    .orElse(false);
        } catch (IOException e) {
            throw NodeFailures.of("unmount " + at, e);
        }
    }

    private static boolean isUnmounted(UnmountCall call) throws LinuxException {
        try {
            call.run();
            return true;
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.EBUSY -> false;
                // No mount there, or not even a directory.
                case Errno.EINVAL, Errno.ENOENT -> true;
                default -> throw e;
            };
        }
    }

    @Override
    public Pulse pulse(Path mount, DeviceNumber device, Duration patience) {
        try {
            Optional<Pulse> pulse =
                    bounded.call("pulse of " + mount + " on " + device, Pulse.class, patience, () -> ask(mount));
            return pulse.orElseGet(Pulse.Silent::new);
        } catch (IOException e) {
            throw NodeFailures.of("look at " + mount, e);
        }
    }

    /** Whatever a mount answers but statistics, nobody can work with it: the server is gone or talks nonsense. */
    private static Pulse ask(Path mount) {
        try {
            return new Pulse.Alive(FileSystemStatus.of(mount));
        } catch (LinuxException e) {
            return new Pulse.Dead(String.valueOf(e.getMessage()));
        }
    }

    private record Opened(FuseDevice opened, DeviceNumber device) implements FuseMount {
        @Override
        public Descriptor descriptor() {
            return opened.descriptor();
        }

        @Override
        public void close() {
            opened.close();
        }
    }
}
