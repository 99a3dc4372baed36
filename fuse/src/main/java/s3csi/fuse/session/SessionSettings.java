package s3csi.fuse.session;

import s3csi.fuse.AccessRule;
import s3csi.fuse.Capability;
import s3csi.fuse.KernelWishes;

/**
 * How a session is run and what it asks the kernel for.
 *
 * @param name begins the names of the device threads
 * @param threads platform threads that read the device
 * @param maxWrite bytes of the largest WRITE and, by way of max_pages, of the largest READ; the kernel clamps it to its own limit
 * @param maxReadahead upper bound; the kernel's own proposal is kept if it is smaller
 * @param maxBackground background requests under way at one time
 * @param spareBuffers request buffers beside those of the threads, for WRITEs that are kept
 * @param mostKept bytes of WRITEs that are kept beside those in spare buffers; of what comes beyond that, only the beginning is
 */
public record SessionSettings(
        String name,
        int threads,
        KernelWishes wishes,
        int maxWrite,
        int maxReadahead,
        int maxBackground,
        int spareBuffers,
        long mostKept,
        AccessRule access) {
    private static final int MIB = 1 << 20;
    private static final int LARGEST_WRITE = 65535 * 4096;

    public SessionSettings {
        if (threads < 1 || maxWrite < 4096 || maxWrite > LARGEST_WRITE || spareBuffers < 0) {
            throw new IllegalArgumentException("a session needs at least 1 thread, a maxWrite of 4096 to "
                    + LARGEST_WRITE + " bytes and no negative spareBuffers; got " + threads + ", " + maxWrite + ", "
                    + spareBuffers);
        }
        if (maxBackground < 1 || maxBackground > 65535) {
            throw new IllegalArgumentException("maxBackground must be 1 to 65535; got " + maxBackground);
        }
        for (Capability capability : Negotiation.unsupported()) {
            if (wishes.contains(capability)) {
                throw new IllegalArgumentException(
                        capability + " changes requests in a way that this session does not understand");
            }
        }
    }

    /** Up to four threads, and requests of 1 MiB. */
    public static SessionSettings defaults() {
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 4);
        return new SessionSettings(
                "fuse", threads, KernelWishes.DEFAULTS, MIB, Integer.MAX_VALUE, 64, 4, 16 * MIB, new AccessRule.All());
    }

    public SessionSettings withName(String value) {
        return new SessionSettings(
                value, threads, wishes, maxWrite, maxReadahead, maxBackground, spareBuffers, mostKept, access);
    }

    public SessionSettings withThreads(int value) {
        return new SessionSettings(
                name, value, wishes, maxWrite, maxReadahead, maxBackground, spareBuffers, mostKept, access);
    }

    public SessionSettings withWishes(KernelWishes value) {
        return new SessionSettings(
                name, threads, value, maxWrite, maxReadahead, maxBackground, spareBuffers, mostKept, access);
    }

    public SessionSettings withMaxWrite(int value) {
        return new SessionSettings(
                name, threads, wishes, value, maxReadahead, maxBackground, spareBuffers, mostKept, access);
    }

    public SessionSettings withMostKept(long value) {
        return new SessionSettings(
                name, threads, wishes, maxWrite, maxReadahead, maxBackground, spareBuffers, value, access);
    }

    public SessionSettings withAccess(AccessRule value) {
        return new SessionSettings(
                name, threads, wishes, maxWrite, maxReadahead, maxBackground, spareBuffers, mostKept, value);
    }
}
