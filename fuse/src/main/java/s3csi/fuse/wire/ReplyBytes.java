package s3csi.fuse.wire;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import s3csi.fuse.Attributes;
import s3csi.fuse.Entry;
import s3csi.fuse.FileSystemStatistics;

/** Writes the structures of answers. Each method returns how many bytes it wrote. */
public final class ReplyBytes {
    /** Bytes of the header of every answer and notification. */
    public static final int HEADER = 16;
    /** The largest answer of fixed size without its header: that of CREATE. */
    public static final int LARGEST_FIXED = 144;

    static final int ENTRY = 128;
    static final int OLD_ENTRY = 120;
    private static final int ATTRIBUTES_IN_ENTRY = 40;
    /** Since this minor the attributes have a block size. */
    private static final int BLOCK_SIZE_MINOR = 9;

    private static final int NANOS = 1_000_000_000;

    private ReplyBytes() {}

    /** The header; the error is negative or 0, or the code of a notification. */
    public static void header(MemorySegment out, long length, int error, long unique) {
        out.set(JAVA_INT, 0, (int) length);
        out.set(JAVA_INT, 4, error);
        out.set(JAVA_LONG, 8, unique);
    }

    public static int entry(MemorySegment out, long at, Entry entry, int minor) {
        entryHead(out, at, entry.node(), entry.generation(), entry.nameValidNanos(), entry.attributesValidNanos());
        return ATTRIBUTES_IN_ENTRY + attributes(out, at + ATTRIBUTES_IN_ENTRY, entry.attributes(), minor);
    }

    /** "No such name", with a time for which it holds: node 0. */
    public static int absentEntry(MemorySegment out, long at, long validNanos, int minor) {
        int size = entrySize(minor);
        out.asSlice(at, size).fill((byte) 0);
        entryHead(out, at, 0, 0, validNanos, 0);
        return size;
    }

    static int entrySize(int minor) {
        return minor < BLOCK_SIZE_MINOR ? OLD_ENTRY : ENTRY;
    }

    private static void entryHead(
            MemorySegment out, long at, long node, long generation, long nameValid, long attributesValid) {
        out.set(JAVA_LONG, at, node);
        out.set(JAVA_LONG, at + 8, generation);
        out.set(JAVA_LONG, at + 16, nameValid / NANOS);
        out.set(JAVA_LONG, at + 24, attributesValid / NANOS);
        out.set(JAVA_INT, at + 32, (int) (nameValid % NANOS));
        out.set(JAVA_INT, at + 36, (int) (attributesValid % NANOS));
    }

    public static int attributesReply(MemorySegment out, long at, Attributes attributes, long validNanos, int minor) {
        out.set(JAVA_LONG, at, validNanos / NANOS);
        out.set(JAVA_INT, at + 8, (int) (validNanos % NANOS));
        out.set(JAVA_INT, at + 12, 0);
        return 16 + attributes(out, at + 16, attributes, minor);
    }

    private static int attributes(MemorySegment out, long at, Attributes a, int minor) {
        out.set(JAVA_LONG, at, a.inode());
        out.set(JAVA_LONG, at + 8, a.size());
        out.set(JAVA_LONG, at + 16, a.blocks());
        time(out, at + 24, at + 48, a.accessed());
        time(out, at + 32, at + 52, a.modified());
        time(out, at + 40, at + 56, a.changed());
        out.set(JAVA_INT, at + 60, a.mode());
        out.set(JAVA_INT, at + 64, a.links());
        out.set(JAVA_INT, at + 68, a.uid());
        out.set(JAVA_INT, at + 72, a.gid());
        out.set(JAVA_INT, at + 76, a.device());
        if (minor < BLOCK_SIZE_MINOR) {
            return 80;
        }
        out.set(JAVA_INT, at + 80, a.blockSize());
        out.set(JAVA_INT, at + 84, 0);
        return 88;
    }

    private static void time(MemorySegment out, long seconds, long nanos, Instant time) {
        out.set(JAVA_LONG, seconds, time.getEpochSecond());
        out.set(JAVA_INT, nanos, time.getNano());
    }

    public static int opened(MemorySegment out, long at, long handle, int flags) {
        out.set(JAVA_LONG, at, handle);
        out.set(JAVA_INT, at + 8, flags);
        out.set(JAVA_INT, at + 12, 0);
        return 16;
    }

    /** A count as WRITE, GETXATTR and LISTXATTR answer it. */
    public static int count(MemorySegment out, long at, int count) {
        out.set(JAVA_INT, at, count);
        out.set(JAVA_INT, at + 4, 0);
        return 8;
    }

    /** A 64-bit number, as LSEEK answers its offset. */
    public static int number(MemorySegment out, long at, long number) {
        out.set(JAVA_LONG, at, number);
        return 8;
    }

    public static int statistics(MemorySegment out, long at, FileSystemStatistics s) {
        out.set(JAVA_LONG, at, s.blocks());
        out.set(JAVA_LONG, at + 8, s.freeBlocks());
        out.set(JAVA_LONG, at + 16, s.availableBlocks());
        out.set(JAVA_LONG, at + 24, s.files());
        out.set(JAVA_LONG, at + 32, s.freeFiles());
        out.set(JAVA_INT, at + 40, s.blockSize());
        out.set(JAVA_INT, at + 44, s.nameLength());
        out.set(JAVA_INT, at + 48, s.fragmentSize());
        out.asSlice(at + 52, 28).fill((byte) 0);
        return 80;
    }
}
