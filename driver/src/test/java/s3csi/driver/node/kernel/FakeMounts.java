package s3csi.driver.node.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import s3csi.linux.Descriptor;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.linux.FileSystemStatus;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.LinuxException;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;
import s3csi.linux.PlainFiles;

/** A mount table in memory. A new FUSE mount is silent until somebody serves it. */
public final class FakeMounts implements MountCalls {
    public static final FileSystemStatus STATUS = new FileSystemStatus(FileSystemStatus.FUSE, 4096, 100, 60, 50, 10, 7);
    public static final Pulse ALIVE = new Pulse.Alive(STATUS);
    public static final Pulse DEAD = new Pulse.Dead("statfs: ENOTCONN");

    /** Silence need not last in a test as long as on a node. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final List<MountEntry> entries = new ArrayList<>();
    private final Map<DeviceNumber, Pulse> pulses = new HashMap<>();
    private final Set<Path> busy = new HashSet<>();
    private int numbers;
    private int descriptors;

    /** What was done to mounts; looking is not doing. */
    public final List<String> calls = new ArrayList<>();
    /** A call that begins with this is refused, with EPERM. */
    @Nullable
    public String refused;

    /** Puts a table in place of the one that came of the calls. */
    public synchronized void show(List<MountEntry> table) {
        entries.clear();
        entries.addAll(table);
    }

    /** All mounts. */
    public synchronized List<MountEntry> table() {
        return List.copyOf(entries);
    }

    @Override
    public <T> List<T> collect(Function<MountEntry, Stream<T>> wanted) {
        return table().stream().flatMap(wanted).toList();
    }

    @Override
    public boolean any(Predicate<MountEntry> wanted) {
        return table().stream().anyMatch(wanted);
    }

    @Override
    public synchronized FuseMount mountFuse(Path at, FuseMountOptions options) {
        call("mount " + at.getFileName() + (options.readOnly() ? " ro" : " rw"));
        DeviceNumber device = add(at, SOURCE_NAME, "fuse", options.readOnly());
        pulses.put(device, new Pulse.Silent());
        return new Fake(device);
    }

    public synchronized DeviceNumber add(Path at, String source, String type, boolean readOnly) {
        DeviceNumber device = new DeviceNumber(0, ++numbers);
        entries.add(entry(at, source, type, device, readOnly));
        return device;
    }

    private MountEntry entry(Path at, String source, String type, DeviceNumber device, boolean readOnly) {
        return new MountEntry(
                ++numbers,
                1,
                device,
                "/",
                at.toString(),
                Set.of(readOnly ? "ro" : "rw"),
                false,
                type,
                source,
                Set.of());
    }

    @Override
    public synchronized void readFarAhead(DeviceNumber device) {
        assertThat(pulses.get(device)).isInstanceOf(Pulse.Alive.class);
    }

    @Override
    public void bind(Path source, Directory parent, String name, boolean readOnly) {
        bind(source, parent.path().resolve(name), readOnly);
    }

    public synchronized void bind(Path source, Path target, boolean readOnly) {
        call("bind " + target.getFileName() + (readOnly ? " ro" : " rw"));
        MountEntry from = topAt(source).orElseThrow();
        entries.add(entry(target, from.source(), from.type(), from.device(), readOnly || from.isReadOnly()));
    }

    @Override
    public synchronized void makeReadOnly(Directory parent, String name) {
        call("read-only " + name);
        Path path = parent.path().resolve(name);
        MountEntry top = topAt(path).orElseThrow();
        entries.set(entries.indexOf(top), entry(path, top.source(), top.type(), top.device(), true));
    }

    @Override
    public boolean unmount(Directory parent, String name, Unmount how) {
        return unmount(parent.path().resolve(name), how);
    }

    @Override
    public synchronized boolean unmount(Path at, Unmount how) {
        call(how + " " + at.getFileName());
        MountEntry top = topAt(at).orElse(null);
        if (top == null) {
            return true;
        }
        if (how == Unmount.FORCE) {
            setPulse(top.device(), DEAD);
        }
        if (how != Unmount.DETACH && busy.contains(at)) {
            return false;
        }
        entries.remove(top);
        return true;
    }

    @Override
    public synchronized Pulse pulse(Path mount, DeviceNumber device, Duration patience) {
        Deadline deadline = Deadline.after(patience.compareTo(PATIENCE) < 0 ? patience : PATIENCE);
        try {
            while (pulses.getOrDefault(device, ALIVE) instanceof Pulse.Silent && !deadline.isOver()) {
                wait(Math.max(1, deadline.remaining().toMillis()));
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return pulses.getOrDefault(device, ALIVE);
    }

    public synchronized void setPulse(DeviceNumber device, Pulse pulse) {
        pulses.put(device, pulse);
        notifyAll();
    }

    public synchronized void setBusy(Path at) {
        busy.add(at);
    }

    public synchronized void setFree(Path at) {
        busy.remove(at);
    }

    public synchronized int openDescriptors() {
        return descriptors;
    }

    private void call(String what) {
        if (refused != null && what.startsWith(refused)) {
            throw NodeFailures.of("do it", new LinuxException(what, "", Errno.EPERM));
        }
        calls.add(what);
    }

    private final class Fake implements FuseMount {
        private final DeviceNumber device;
        private final Descriptor descriptor;

        Fake(DeviceNumber device) {
            this.device = device;
            try {
                descriptor = PlainFiles.open(Path.of("/dev/null"), FileFlags.O_RDWR | FileFlags.O_CLOEXEC);
            } catch (LinuxException e) {
                throw new AssertionError(e);
            }
            descriptors++;
        }

        @Override
        public Descriptor descriptor() {
            return descriptor;
        }

        @Override
        public DeviceNumber device() {
            return device;
        }

        @Override
        public void close() {
            descriptor.close();
            synchronized (FakeMounts.this) {
                descriptors--;
            }
        }
    }
}
