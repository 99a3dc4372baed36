package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;

/**
 * Shows a mount at a second place: at a name of a directory that is open.
 *
 * <p>A copy of the mount is made where nobody sees it, made read-only there, and then put in place, each by descriptor. So whoever is
 * killed half-way leaves nothing, and a link that is put in the way of a path leads nowhere. These are calls of Linux 5.12
 * ({@code mount_setattr}; the others came with 5.2). Kernels before it get mount(2), with the descriptor of the target as its path: it
 * cannot lead elsewhere either, but a read-only mount is made in two steps, and {@link #makeReadOnly} is for what somebody left who was
 * killed between them.
 */
public final class BindMount {
    static final StructLayout MOUNT_ATTR = MemoryLayout.structLayout(
            JAVA_LONG.withName("attr_set"),
            JAVA_LONG.withName("attr_clr"),
            JAVA_LONG.withName("propagation"),
            JAVA_LONG.withName("userns_fd"));
    private static final MemoryLayout.PathElement ON = MemoryLayout.PathElement.groupElement("attr_set");
    private static final MemoryLayout.PathElement OFF = MemoryLayout.PathElement.groupElement("attr_clr");

    static final int OPEN_TREE_CLONE = 1;
    static final int MOVE_MOUNT_F_EMPTY_PATH = 4;
    static final int MOVE_MOUNT_T_EMPTY_PATH = 0x40;
    static final int MOUNT_ATTR_RDONLY = 1;

    private static final String MOUNT_ID = "mnt_id:";
    private static final int LARGEST_INFO = 4096;

    private BindMount() {}

    /** How a kernel is asked. */
    enum Way {
        /** By the calls on descriptors, and without them by mount(2). */
        ANY,
        /** By mount(2), as kernels before 5.12 are. */
        OLD
    }

    /**
     * Binds a mount to a directory.
     *
     * @param source a path that only we can change
     * @param parent in which the target is
     * @param name of the target; ELOOP if it is a symbolic link
     */
    public static void attach(Path source, Directory parent, String name, boolean readOnly) throws IOException {
        attach(source, parent, name, readOnly, Way.ANY);
    }

    static void attach(Path source, Directory parent, String name, boolean readOnly, Way way) throws IOException {
        try (Descriptor target = open(parent, name)) {
            if (way == Way.OLD || !isAttached(source, target, readOnly)) {
                Mounts.bind(source, target.asPath());
                if (readOnly) {
                    makeReadOnlyOrUndo(source, parent, name);
                }
            }
        }
    }

    private static Descriptor open(Directory parent, String name) throws LinuxException {
        return parent.open(name, FileFlags.O_PATH | FileFlags.O_DIRECTORY, 0);
    }

    /** Whether the kernel knows how to. */
    private static boolean isAttached(Path source, Descriptor target, boolean readOnly) throws LinuxException {
        try (Descriptor copy = copyOf(source)) {
            if (readOnly) {
                setReadOnly(copy);
            } else {
                setWritable(copy);
            }
            move(copy, target);
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOSYS) {
                return false;
            }
            throw e;
        }
    }

    private static Descriptor copyOf(Path source) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            long number = SystemCalls.call(
                    SystemCalls.OPEN_TREE,
                    FileStatus.AT_FDCWD,
                    Native.string(memory, source.toString()),
                    OPEN_TREE_CLONE | FileFlags.O_CLOEXEC | FileStatus.AT_SYMLINK_NOFOLLOW,
                    0);
            return Descriptor.owning((int) require("open_tree", source.toString(), number));
        }
    }

    private static void setReadOnly(Descriptor mount) throws LinuxException {
        set(mount, MOUNT_ATTR_RDONLY, 0);
    }

    /** The copy of a read-only mount is read-only. Kernels before 5.12 leave it so. */
    private static void setWritable(Descriptor mount) throws LinuxException {
        try {
            set(mount, 0, MOUNT_ATTR_RDONLY);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOSYS) {
                throw e;
            }
        }
    }

    private static void set(Descriptor mount, long on, long off) throws LinuxException {
        mount.use();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment attributes = memory.allocate(MOUNT_ATTR);
            attributes.set(JAVA_LONG, MOUNT_ATTR.byteOffset(ON), on);
            attributes.set(JAVA_LONG, MOUNT_ATTR.byteOffset(OFF), off);
            long result = SystemCalls.call(
                    SystemCalls.MOUNT_SETATTR,
                    mount.number(),
                    Native.string(memory, ""),
                    FileStatus.AT_EMPTY_PATH,
                    attributes.address(),
                    MOUNT_ATTR.byteSize());
            require("mount_setattr", "on " + mount, result);
        } finally {
            mount.endUse();
        }
    }

    private static void move(Descriptor mount, Descriptor target) throws LinuxException {
        mount.use();
        target.use();
        try (Arena memory = Arena.ofConfined()) {
            long empty = Native.string(memory, "");
            long result = SystemCalls.call(
                    SystemCalls.MOVE_MOUNT,
                    mount.number(),
                    empty,
                    target.number(),
                    empty,
                    MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
            require("move_mount", "to " + target, result);
        } finally {
            target.endUse();
            mount.endUse();
        }
    }

    private static long require(String call, String subject, long result) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(call, subject, (int) -result);
        }
        return result;
    }

    /** Makes what is mounted there read-only, in this place only. EBUSY while somebody writes through it. */
    public static void makeReadOnly(Directory parent, String name) throws IOException {
        makeReadOnly(parent, name, Way.ANY);
    }

    static void makeReadOnly(Directory parent, String name, Way way) throws IOException {
        try (Descriptor mount = open(parent, name)) {
            if (way == Way.OLD) {
                remountReadOnly(mount);
                return;
            }
            try {
                setReadOnly(mount);
            } catch (LinuxException e) {
                if (e.errno() != Errno.ENOSYS) {
                    throw e;
                }
                remountReadOnly(mount);
            }
        }
    }

    /** Nobody may find it writable, not even for the time of a retry. */
    private static void makeReadOnlyOrUndo(Path source, Directory parent, String name) throws IOException {
        try (Descriptor mount = open(parent, name)) {
            // Whoever mounted something else there meanwhile keeps it as it is.
            if (FileStatus.cached(mount)
                    .device()
                    .equals(FileStatus.cached(source).device())) {
                remountReadOnly(mount);
            }
        } catch (IOException | RuntimeException e) {
            Mounts.unmount(parent, name, Mounts.Unmount.DETACH);
            throw e;
        }
    }

    /** A remount sets all flags of a mount anew: those it has must be named or they are lost. */
    private static void remountReadOnly(Descriptor mount) throws IOException {
        Mounts.mount(
                "none",
                mount.asPath(),
                "",
                Mounts.MS_REMOUNT | Mounts.MS_BIND | Mounts.MS_RDONLY | flagsOf(optionsOf(mount)),
                "");
    }

    private static Set<String> optionsOf(Descriptor mount) throws IOException {
        int id = idOf(mount);
        return MountTable.current().select(entry -> entry.id() == id).stream()
                .findFirst()
                .orElseThrow(() -> new IOException("mount " + id + " is not in the mount table"))
                .options();
    }

    /** The number of the mount that a descriptor is of, as in the mount table. */
    private static int idOf(Descriptor mount) throws IOException {
        Path info = Path.of("/proc/self/fdinfo", Integer.toString(mount.number()));
        try (Descriptor file = PlainFiles.open(info, FileFlags.O_RDONLY | FileFlags.O_CLOEXEC)) {
            return new String(PlainFiles.read(file, LARGEST_INFO), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> line.startsWith(MOUNT_ID))
                    .mapToInt(line ->
                            Integer.parseInt(line.substring(MOUNT_ID.length()).strip()))
                    .findFirst()
                    .orElseThrow(() -> new IOException("the kernel does not say which mount " + mount + " is of"));
        }
    }

    private static long flagsOf(Set<String> options) {
        long flags = 0;
        for (String option : options) {
            flags |= switch (option) {
                case "nosuid" -> Mounts.MS_NOSUID;
                case "nodev" -> Mounts.MS_NODEV;
                case "noexec" -> Mounts.MS_NOEXEC;
                case "noatime" -> Mounts.MS_NOATIME;
                case "nodiratime" -> Mounts.MS_NODIRATIME;
                case "relatime" -> Mounts.MS_RELATIME;
                default -> 0;
            };
        }
        return flags;
    }
}
