package s3csi.fuse.session;

import java.util.EnumSet;
import java.util.Set;
import s3csi.fuse.Capability;
import s3csi.fuse.Negotiated;
import s3csi.fuse.wire.InitReply;
import s3csi.fuse.wire.InitRequest;

/** What comes of a kernel's INIT and our wishes; a pure function of both. */
sealed interface Negotiation {
    /** Both can work together. */
    record Agreed(Negotiated terms) implements Negotiation {}

    /** The kernel speaks a newer major; it asks again after hearing ours. */
    record AskAgain() implements Negotiation {}

    /** They cannot. */
    record Refused(String reason) implements Negotiation {}

    /** Pages of a request where the kernel does not let the file system choose. */
    int FIXED_MAX_PAGES = 32;

    static Negotiation of(InitRequest kernel, SessionSettings settings, int pageSize) {
        if (kernel.major() > InitReply.MAJOR) {
            return new AskAgain();
        }
        if (kernel.major() < InitReply.MAJOR || kernel.minor() < InitReply.OLDEST_MINOR) {
            return new Refused("the kernel speaks FUSE " + kernel.major() + "." + kernel.minor() + "; "
                    + InitReply.MAJOR + "." + InitReply.OLDEST_MINOR + " or newer is needed");
        }
        long required = Capability.bitsOf(settings.wishes().required());
        long missing = required & ~kernel.offered();
        if (missing != 0) {
            return new Refused("the kernel (FUSE " + kernel.major() + "." + kernel.minor() + ") does not offer "
                    + Capability.setOf(missing) + ", which this file system needs; use a newer kernel");
        }
        long taken = (required | Capability.bitsOf(settings.wishes().wanted())) & kernel.offered();
        if (taken >>> 32 != 0) {
            // The second word of flags counts only together with this one, and is offered only with it.
            taken |= Capability.INIT_EXT.mask();
        }
        int pages = (settings.maxWrite() + pageSize - 1) / pageSize;
        boolean choosesPages = (taken & Capability.MAX_PAGES.mask()) != 0;
        // Both are unsigned in the protocol; the kernel's proposal is the most it will do.
        int readahead = Integer.compareUnsigned(kernel.maxReadahead(), settings.maxReadahead()) < 0
                ? kernel.maxReadahead()
                : settings.maxReadahead();
        return new Agreed(new Negotiated(
                Math.min(kernel.minor(), InitReply.NEWEST_MINOR),
                taken,
                readahead,
                settings.maxWrite(),
                choosesPages ? Math.min(pages, 0xffff) : FIXED_MAX_PAGES,
                settings.maxBackground()));
    }

    /** Capabilities that change what requests look like in ways that the dispatcher does not read. */
    static Set<Capability> unsupported() {
        return EnumSet.of(
                Capability.SECURITY_CTX,
                Capability.CREATE_SUPP_GROUP,
                Capability.OVER_IO_URING,
                Capability.POSIX_LOCKS,
                Capability.FLOCK_LOCKS,
                Capability.PASSTHROUGH,
                Capability.HAS_INODE_DAX,
                Capability.MAP_ALIGNMENT,
                Capability.SPLICE_READ,
                Capability.SPLICE_WRITE,
                Capability.SPLICE_MOVE);
    }
}
