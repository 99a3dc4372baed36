package s3csi.fuse;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a file system asks the kernel for at INIT.
 *
 * @param wanted taken if offered
 * @param required the session fails if one of them is not offered
 */
public record KernelWishes(Set<Capability> wanted, Set<Capability> required) {
    /** What fits a file system of large files on a network: parallel reads and listings, large requests. */
    public static final KernelWishes DEFAULTS = new KernelWishes(
            Set.of(
                    Capability.ASYNC_READ,
                    Capability.BIG_WRITES,
                    Capability.MAX_PAGES,
                    Capability.DO_READDIRPLUS,
                    Capability.READDIRPLUS_AUTO,
                    Capability.PARALLEL_DIROPS,
                    Capability.ASYNC_DIO,
                    Capability.ABORT_ERROR,
                    Capability.HAS_EXPIRE_ONLY,
                    Capability.HAS_RESEND),
            Set.of());

    public KernelWishes {
        wanted = Set.copyOf(wanted);
        required = Set.copyOf(required);
    }

    public KernelWishes without(Capability unwanted) {
        Set<Capability> rest = EnumSet.copyOf(wanted);
        rest.remove(unwanted);
        return new KernelWishes(rest, required);
    }

    public KernelWishes withRequired(Set<Capability> value) {
        return new KernelWishes(wanted, value);
    }

    /** Both in one. */
    public boolean contains(Capability capability) {
        return wanted.contains(capability) || required.contains(capability);
    }
}
