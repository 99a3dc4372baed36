package s3csi.fuse;

import java.util.EnumSet;
import java.util.Set;

/**
 * What kernel and file system agree on at INIT. The kernel offers, the file system takes a subset.
 *
 * <p>Bits 0 to 31 travel in the first flag word, the rest in the second, which exists only together with INIT_EXT (kernel
 * protocol 7.36); the session takes care of that.
 */
public enum Capability {
    /** Reads of one file may be sent in parallel and out of order. */
    ASYNC_READ(0),
    /** POSIX locks are sent to the file system; without it they are local to the host. */
    POSIX_LOCKS(1),
    /** O_TRUNC arrives with OPEN instead of as a SETATTR before it. */
    ATOMIC_O_TRUNC(3),
    /** Lookups of {@code .} and {@code ..} are answered, which export over NFS needs. */
    EXPORT_SUPPORT(4),
    /** Writes larger than one page. */
    BIG_WRITES(5),
    /** The file system applies the umask itself. */
    DONT_MASK(6),
    SPLICE_WRITE(7),
    SPLICE_MOVE(8),
    SPLICE_READ(9),
    /** BSD locks are sent to the file system. */
    FLOCK_LOCKS(10),
    HAS_IOCTL_DIR(11),
    /** Cached pages are dropped when a GETATTR shows another size or mtime. */
    AUTO_INVAL_DATA(12),
    /** READDIRPLUS is used. */
    DO_READDIRPLUS(13),
    /** READDIRPLUS only while it pays. */
    READDIRPLUS_AUTO(14),
    /** Direct I/O is split into parallel requests. */
    ASYNC_DIO(15),
    /** The kernel collects writes. Breaks files that may only be written in sequence. */
    WRITEBACK_CACHE(16),
    /** ENOSYS for OPEN means: no opens at all, always succeed. */
    NO_OPEN_SUPPORT(17),
    /** Lookups and listings of one directory in parallel. */
    PARALLEL_DIROPS(18),
    HANDLE_KILLPRIV(19),
    POSIX_ACL(20),
    /** A device read after an abort fails with ECONNABORTED instead of ENODEV, so that both can be told apart. */
    ABORT_ERROR(21),
    /** Requests of more than 32 pages. */
    MAX_PAGES(22),
    CACHE_SYMLINKS(23),
    NO_OPENDIR_SUPPORT(24),
    /** Cached pages are dropped only by notification. */
    EXPLICIT_INVAL_DATA(25),
    MAP_ALIGNMENT(26),
    SUBMOUNTS(27),
    HANDLE_KILLPRIV_V2(28),
    SETXATTR_EXT(29),
    /** The second flag word exists. The session adds it by itself where it is needed. */
    INIT_EXT(30),
    SECURITY_CTX(32),
    HAS_INODE_DAX(33),
    CREATE_SUPP_GROUP(34),
    /** {@link Notifications#expireEntry} works. */
    HAS_EXPIRE_ONLY(35),
    DIRECT_IO_ALLOW_MMAP(36),
    PASSTHROUGH(37),
    NO_EXPORT_SUPPORT(38),
    /** {@link Notifications#resend} works: the mount can move to a new process. */
    HAS_RESEND(39),
    ALLOW_IDMAP(40),
    OVER_IO_URING(41),
    REQUEST_TIMEOUT(42);

    private final int bit;

    Capability(int bit) {
        this.bit = bit;
    }

    /** The capability as a bit of the two flag words, the second one shifted up by 32. */
    public long mask() {
        return 1L << bit;
    }

    /** The set of these bits; bits without a name here are left out. */
    public static Set<Capability> setOf(long bits) {
        EnumSet<Capability> set = EnumSet.noneOf(Capability.class);
        for (Capability capability : values()) {
            if ((bits & capability.mask()) != 0) {
                set.add(capability);
            }
        }
        return set;
    }

    public static long bitsOf(Set<Capability> set) {
        long bits = 0;
        for (Capability capability : set) {
            bits |= capability.mask();
        }
        return bits;
    }
}
