package s3csi.fuse.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import s3csi.fuse.Entry;

/** Writes the entries of a directory listing one after the other, each padded to 8 bytes. */
public final class DirectoryBytes {
    private static final int NAME_OFFSET = 24;

    private DirectoryBytes() {}

    /** Adds a name and returns where the next one goes; -1 if it would pass the limit. */
    public static int entry(MemorySegment out, int at, int limit, String name, long inode, int mode, long nextOffset) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int end = at + align(NAME_OFFSET + bytes.length);
        if (end > limit) {
            return -1;
        }
        write(out, at, end, bytes, inode, mode, nextOffset);
        return end;
    }

    /** The same with what a lookup would say. */
    public static int entryPlus(
            MemorySegment out, int at, int limit, String name, Entry entry, long nextOffset, int minor) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int head = ReplyBytes.entrySize(minor);
        int end = at + align(head + NAME_OFFSET + bytes.length);
        if (end > limit) {
            return -1;
        }
        ReplyBytes.entry(out, at, entry, minor);
        write(
                out,
                at + head,
                end,
                bytes,
                entry.attributes().inode(),
                entry.attributes().mode(),
                nextOffset);
        return end;
    }

    /** A name in a listing of the second kind without lookup: node 0. */
    public static int nameOnly(
            MemorySegment out, int at, int limit, String name, long inode, int mode, long nextOffset, int minor) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int head = ReplyBytes.entrySize(minor);
        int end = at + align(head + NAME_OFFSET + bytes.length);
        if (end > limit) {
            return -1;
        }
        ReplyBytes.absentEntry(out, at, 0, minor);
        write(out, at + head, end, bytes, inode, mode, nextOffset);
        return end;
    }

    private static void write(MemorySegment out, int at, int end, byte[] name, long inode, int mode, long nextOffset) {
        out.set(JAVA_LONG, at, inode);
        out.set(JAVA_LONG, at + 8, nextOffset);
        out.set(JAVA_INT, at + 16, name.length);
        // The type of a directory entry is the type part of the mode.
        out.set(JAVA_INT, at + 20, mode >>> 12 & 0xf);
        int nameEnd = at + NAME_OFFSET + name.length;
        MemorySegment.copy(name, 0, out, JAVA_BYTE, at + NAME_OFFSET, name.length);
        out.asSlice(nameEnd, end - nameEnd).fill((byte) 0);
    }

    private static int align(int length) {
        return length + 7 & ~7;
    }
}
