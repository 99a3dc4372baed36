package s3csi.linux;

import java.lang.foreign.Arena;
import java.nio.file.Path;

/**
 * Mounts and unmounts. Root, or CAP_SYS_ADMIN, is needed for all of it.
 *
 * <p>None of these calls asks the server of a FUSE mount, except that a path leading through one is resolved through it.
 */
public final class Mounts {
    static final long MS_RDONLY = 1;
    static final long MS_NOSUID = 2;
    static final long MS_NODEV = 4;
    static final long MS_NOEXEC = 8;
    static final long MS_REMOUNT = 32;
    static final long MS_NOATIME = 1024;
    static final long MS_NODIRATIME = 2048;
    static final long MS_BIND = 4096;
    static final long MS_RELATIME = 1 << 21;
    static final int MNT_FORCE = 1;
    static final int MNT_DETACH = 2;
    static final int UMOUNT_NOFOLLOW = 8;

    private static final CFunction MOUNT = CFunction.named("mount");
    private static final CFunction UMOUNT2 = CFunction.named("umount2");

    private Mounts() {}

    /** How hard to unmount. */
    public enum Unmount {
        /** Fails with EBUSY while somebody uses the mount. */
        PLAIN(0),
        /** Aborts the connection of a FUSE mount first, so that whoever waits in it is set free; then as plain. */
        FORCE(MNT_FORCE),
        /** Takes the mount out of the tree at once; it ends when its last user is gone. */
        DETACH(MNT_DETACH);

        private final int flags;

        Unmount(int flags) {
            this.flags = flags;
        }
    }

    /**
     * Mounts a FUSE file system on an open device. Returns before INIT: who touches the mount waits until somebody serves the
     * device.
     *
     * @param source what the mount table shows
     */
    public static void mountFuse(FuseDevice device, String source, Path target, FuseMountOptions options)
            throws LinuxException {
        long flags = MS_NOSUID | MS_NODEV | MS_NOATIME | (options.readOnly() ? MS_RDONLY : 0);
        Descriptor descriptor = device.descriptor();
        descriptor.use();
        try {
            mount(source, target, "fuse", flags, options.data(descriptor.number()));
        } finally {
            descriptor.endUse();
        }
    }

    /** Mounts the file system through which connections are aborted, where it is missing. */
    public static void mountFuseControl(Path target) throws LinuxException {
        mount("fusectl", target, "fusectl", MS_NOSUID | MS_NODEV | MS_NOEXEC, "");
    }

    /** Shows a directory or mount at a second place, whose path is trusted; {@link BindMount} is for others. */
    public static void bind(Path source, Path target) throws LinuxException {
        mount(source.toString(), target, "", MS_BIND, "");
    }

    /** Unmounts the topmost mount at the path. A symbolic link at its end is refused (EINVAL). */
    public static void unmount(Path target, Unmount how) throws LinuxException {
        Calls.check(
                "umount2",
                target.toString(),
                (arena, captured) -> UMOUNT2.callInt(
                        captured, Native.string(arena, target.toString()), how.flags | UMOUNT_NOFOLLOW));
    }

    /** The same at a name of a directory that is open: no link is followed on the way there. */
    public static void unmount(Directory parent, String name, Unmount how) throws LinuxException {
        parent.descriptor().use();
        try {
            unmount(parent.descriptor().asPath().resolve(name), how);
        } finally {
            parent.descriptor().endUse();
        }
    }

    static void mount(String source, Path target, String type, long flags, String data) throws LinuxException {
        Calls.check(
                "mount",
                source + " at " + target,
                (arena, captured) -> MOUNT.callInt(
                        captured,
                        Native.string(arena, source),
                        Native.string(arena, target.toString()),
                        textOrNull(arena, type),
                        flags,
                        textOrNull(arena, data)));
    }

    private static long textOrNull(Arena arena, String text) {
        return text.isEmpty() ? 0 : Native.string(arena, text);
    }
}
