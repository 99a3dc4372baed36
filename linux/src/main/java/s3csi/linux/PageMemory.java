package s3csi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory straight from the kernel: aligned to pages, zero, and resident only where it was touched, while memory of an arena is cleared and so
 * resident at once.
 */
public final class PageMemory {
    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    static final int MAP_PRIVATE = 2;
    static final int MAP_ANONYMOUS = 32;
    static final int MADV_DONTNEED = 4;

    private static final CFunction MMAP = CFunction.named("mmap");
    private static final CFunction GETPAGESIZE = CFunction.named("getpagesize");
    private static final CFunction MUNMAP = CFunction.named("munmap");
    private static final CFunction MADVISE = CFunction.named("madvise");

    private PageMemory() {}

    /** Bytes of a page: 4096, on some ARM systems 65536. */
    public static int pageSize() {
        try (Arena arena = Arena.ofConfined()) {
            return GETPAGESIZE.callInt(Native.capture(arena));
        }
    }

    /** Maps that many bytes, rounded up to pages by the kernel, until the arena ends. */
    public static MemorySegment map(long bytes, Arena owner) throws LinuxException {
        long address = Calls.check(
                "mmap",
                "of " + bytes + " bytes",
                (arena, captured) ->
                        MMAP.call(captured, 0L, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L));
        return Native.memory(address, bytes, owner, PageMemory::unmap);
    }

    /** Gives the pages back to the kernel; the memory stays usable and is zero. */
    public static void release(MemorySegment pages) throws LinuxException {
        Calls.check(
                "madvise",
                "of " + pages.byteSize() + " bytes",
                (arena, captured) -> MADVISE.callInt(captured, pages.address(), pages.byteSize(), MADV_DONTNEED));
    }

    private static void unmap(MemorySegment pages) {
        try {
            Calls.check(
                    "munmap",
                    "of " + pages.byteSize() + " bytes",
                    (arena, captured) -> MUNMAP.callInt(captured, pages.address(), pages.byteSize()));
        } catch (LinuxException e) {
            throw new IllegalStateException("memory that was mapped could not be unmapped", e);
        }
    }
}
