package s3csi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * What statx(2) says of a file. statx and not stat: its structure is the same on every architecture.
 *
 * @param device the file system that holds the file, as in the mount table
 * @param deviceMajor of a device file: which device it is
 */
public record FileStatus(
        int mode, int uid, int gid, long inode, long size, DeviceNumber device, int deviceMajor, int deviceMinor) {
    static final StructLayout STATX = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("stx_mask"),
            ValueLayout.JAVA_INT.withName("stx_blksize"),
            ValueLayout.JAVA_LONG.withName("stx_attributes"),
            ValueLayout.JAVA_INT.withName("stx_nlink"),
            ValueLayout.JAVA_INT.withName("stx_uid"),
            ValueLayout.JAVA_INT.withName("stx_gid"),
            ValueLayout.JAVA_SHORT.withName("stx_mode"),
            MemoryLayout.paddingLayout(2),
            ValueLayout.JAVA_LONG.withName("stx_ino"),
            ValueLayout.JAVA_LONG.withName("stx_size"),
            MemoryLayout.paddingLayout(80),
            ValueLayout.JAVA_INT.withName("stx_rdev_major"),
            ValueLayout.JAVA_INT.withName("stx_rdev_minor"),
            ValueLayout.JAVA_INT.withName("stx_dev_major"),
            ValueLayout.JAVA_INT.withName("stx_dev_minor"),
            MemoryLayout.paddingLayout(112));
    static final int AT_FDCWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_NO_AUTOMOUNT = 0x800;
    static final int AT_EMPTY_PATH = 0x1000;
    static final int STATX_BASIC_STATS = 0x7ff;
    /** Use what is cached: no question to a server, which may be dead. */
    static final int AT_STATX_DONT_SYNC = 0x4000;

    private static final CFunction STATX_CALL = CFunction.named("statx");

    private static final int TYPE_MASK = 0170000;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int SYMBOLIC_LINK = 0120000;
    private static final int CHARACTER_DEVICE = 0020000;
    private static final int BLOCK_DEVICE = 0060000;
    private static final int SOCKET = 0140000;
    private static final int PIPE = 0010000;

    /** The file behind the descriptor. */
    public static FileStatus of(Descriptor descriptor) throws LinuxException {
        descriptor.use();
        try {
            return statx(descriptor.number(), "", AT_EMPTY_PATH, "of " + descriptor);
        } finally {
            descriptor.endUse();
        }
    }

    /** The same from what the kernel has cached, see {@link #cached(Path)}. */
    static FileStatus cached(Descriptor descriptor) throws LinuxException {
        descriptor.use();
        try {
            return statx(descriptor.number(), "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, "of " + descriptor);
        } finally {
            descriptor.endUse();
        }
    }

    /** The file at the path; a symbolic link is not followed at its end. */
    public static FileStatus of(Path path) throws LinuxException {
        return statx(AT_FDCWD, path.toString(), AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, path.toString());
    }

    /**
     * The file at the path from what the kernel has cached: for a mount's root this asks no server, so that it cannot hang on a
     * FUSE mount whose server is gone.
     */
    public static FileStatus cached(Path path) throws LinuxException {
        return statx(
                AT_FDCWD, path.toString(), AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, path.toString());
    }

    private static FileStatus statx(int directory, String path, int flags, String subject) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment out = memory.allocate(STATX);
            Calls.check(
                    "statx",
                    subject,
                    (arena, captured) -> STATX_CALL.callInt(
                            captured, directory, Native.string(arena, path), flags, STATX_BASIC_STATS, out.address()));
            return new FileStatus(
                    Short.toUnsignedInt(out.get(ValueLayout.JAVA_SHORT, offset("stx_mode"))),
                    intAt(out, "stx_uid"),
                    intAt(out, "stx_gid"),
                    out.get(ValueLayout.JAVA_LONG, offset("stx_ino")),
                    out.get(ValueLayout.JAVA_LONG, offset("stx_size")),
                    new DeviceNumber(intAt(out, "stx_dev_major"), intAt(out, "stx_dev_minor")),
                    intAt(out, "stx_rdev_major"),
                    intAt(out, "stx_rdev_minor"));
        }
    }

    private static int intAt(MemorySegment out, String field) {
        return out.get(ValueLayout.JAVA_INT, offset(field));
    }

    private static long offset(String field) {
        return STATX.byteOffset(PathElement.groupElement(field));
    }

    public boolean isDirectory() {
        return (mode & TYPE_MASK) == DIRECTORY;
    }

    public boolean isRegularFile() {
        return (mode & TYPE_MASK) == REGULAR;
    }

    public boolean isSymbolicLink() {
        return (mode & TYPE_MASK) == SYMBOLIC_LINK;
    }

    public boolean isSocket() {
        return (mode & TYPE_MASK) == SOCKET;
    }

    public boolean isCharacterDevice() {
        return (mode & TYPE_MASK) == CHARACTER_DEVICE;
    }

    /** What kind of file it is, in words. */
    public String kind() {
        return switch (mode & TYPE_MASK) {
            case REGULAR -> "a regular file";
            case DIRECTORY -> "a directory";
            case SYMBOLIC_LINK -> "a symbolic link";
            case CHARACTER_DEVICE -> "the character device " + deviceMajor + ":" + deviceMinor;
            case BLOCK_DEVICE -> "the block device " + deviceMajor + ":" + deviceMinor;
            case SOCKET -> "a socket";
            case PIPE -> "a pipe";
            default -> "an anonymous file";
        };
    }
}
