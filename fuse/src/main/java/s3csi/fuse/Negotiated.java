package s3csi.fuse;

import java.util.Set;

/**
 * What INIT settled for a connection. It holds as long as the mount, also for a second process that takes the connection
 * over: the kernel never sends INIT again, so who wants to recover writes this down and gives it to
 * {@link s3csi.fuse.session.FuseSession#resume}.
 *
 * @param minor the smaller one of both protocol minors (the major is always 7)
 * @param capabilities bits of the capabilities in use, see {@link Capability#mask}
 * @param maxReadahead bytes the kernel reads ahead at most
 * @param maxWrite bytes of the largest WRITE
 * @param maxPages pages of the largest request, 32 where the kernel does not know MAX_PAGES
 * @param maxBackground how many background requests (readahead, async direct I/O) may be under way
 */
public record Negotiated(
        int minor, long capabilities, int maxReadahead, int maxWrite, int maxPages, int maxBackground) {
    /** The capabilities in use, by name. */
    public Set<Capability> capabilitySet() {
        return Capability.setOf(capabilities);
    }

    public boolean has(Capability capability) {
        return (capabilities & capability.mask()) != 0;
    }
}
