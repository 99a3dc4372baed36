package s3csi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/** What statfs(2) says of the file system at a path. Asks its server, so it may wait as long as that one does. */
public record FileSystemStatus(
        long type, long blockSize, long blocks, long freeBlocks, long availableBlocks, long files, long freeFiles) {
    static final StructLayout STATFS = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("f_type"),
            ValueLayout.JAVA_LONG.withName("f_bsize"),
            ValueLayout.JAVA_LONG.withName("f_blocks"),
            ValueLayout.JAVA_LONG.withName("f_bfree"),
            ValueLayout.JAVA_LONG.withName("f_bavail"),
            ValueLayout.JAVA_LONG.withName("f_files"),
            ValueLayout.JAVA_LONG.withName("f_ffree"),
            MemoryLayout.paddingLayout(8),
            ValueLayout.JAVA_LONG.withName("f_namelen"),
            ValueLayout.JAVA_LONG.withName("f_frsize"),
            MemoryLayout.paddingLayout(40));
    /** The type of every FUSE mount. */
    public static final long FUSE = 0x65735546L;

    private static final CFunction STATFS_CALL = CFunction.named("statfs");

    public static FileSystemStatus of(Path path) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment out = memory.allocate(STATFS);
            Calls.check(
                    "statfs",
                    path.toString(),
                    (arena, captured) ->
                            STATFS_CALL.callInt(captured, Native.string(arena, path.toString()), out.address()));
            return new FileSystemStatus(
                    at(out, "f_type"),
                    at(out, "f_bsize"),
                    at(out, "f_blocks"),
                    at(out, "f_bfree"),
                    at(out, "f_bavail"),
                    at(out, "f_files"),
                    at(out, "f_ffree"));
        }
    }

    private static long at(MemorySegment out, String field) {
        return out.get(ValueLayout.JAVA_LONG, STATFS.byteOffset(PathElement.groupElement(field)));
    }
}
