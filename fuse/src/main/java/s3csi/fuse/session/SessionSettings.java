package s3csi.fuse.session;

import java.util.Set;
import s3csi.fuse.AccessRule;
import s3csi.fuse.Capability;

/**
 * How a session is run and what it asks the kernel for.
 *
 * @param name begins the names of the device threads
 * @param threads platform threads that read the device
 * @param wanted taken if offered
 * @param required the session fails if one of them is not offered
 * @param maxWrite bytes of the largest WRITE and, by way of max_pages, of the largest READ; the kernel clamps it to its own limit
 * @param maxReadahead upper bound; the kernel's own proposal is kept if it is smaller
 * @param maxBackground background requests under way at one time
 * @param spareBuffers request buffers beside those of the threads, for WRITEs that are kept
 */
public record SessionSettings(
        String name,
        int threads,
        Set<Capability> wanted,
        Set<Capability> required,
        int maxWrite,
        int maxReadahead,
        int maxBackground,
        int spareBuffers,
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
            if (wanted.contains(capability) || required.contains(capability)) {
                throw new IllegalArgumentException(
                        capability + " changes requests in a way that this session does not understand");
            }
        }
        wanted = Set.copyOf(wanted);
        required = Set.copyOf(required);
    }

    /** What fits a file system of large files on a network: parallel reads and listings, 1 MiB requests. */
    public static SessionSettings defaults() {
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 4);
        Set<Capability> wanted = Set.of(
                Capability.ASYNC_READ,
                Capability.BIG_WRITES,
                Capability.MAX_PAGES,
                Capability.DO_READDIRPLUS,
                Capability.READDIRPLUS_AUTO,
                Capability.PARALLEL_DIROPS,
                Capability.ASYNC_DIO,
                Capability.ABORT_ERROR,
                Capability.HAS_EXPIRE_ONLY,
                Capability.HAS_RESEND);
        return new SessionSettings(
                "fuse", threads, wanted, Set.of(), MIB, Integer.MAX_VALUE, 64, 4, new AccessRule.All());
    }

    public SessionSettings withName(String value) {
        return new SessionSettings(
                value, threads, wanted, required, maxWrite, maxReadahead, maxBackground, spareBuffers, access);
    }

    public SessionSettings withThreads(int value) {
        return new SessionSettings(
                name, value, wanted, required, maxWrite, maxReadahead, maxBackground, spareBuffers, access);
    }

    public SessionSettings withWanted(Set<Capability> value) {
        return new SessionSettings(
                name, threads, value, required, maxWrite, maxReadahead, maxBackground, spareBuffers, access);
    }

    public SessionSettings withRequired(Set<Capability> value) {
        return new SessionSettings(
                name, threads, wanted, value, maxWrite, maxReadahead, maxBackground, spareBuffers, access);
    }

    public SessionSettings withMaxWrite(int value) {
        return new SessionSettings(
                name, threads, wanted, required, value, maxReadahead, maxBackground, spareBuffers, access);
    }

    public SessionSettings withAccess(AccessRule value) {
        return new SessionSettings(
                name, threads, wanted, required, maxWrite, maxReadahead, maxBackground, spareBuffers, value);
    }
}
