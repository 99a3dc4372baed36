package s3csi.fuse.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** Writes the bodies of notifications. Each method returns how many bytes it wrote. */
public final class NotificationBytes {
    public static final int INVALIDATE_INODE = 2;
    public static final int INVALIDATE_ENTRY = 3;
    public static final int STORE = 4;
    public static final int DELETE = 6;
    public static final int RESEND = 7;
    public static final int PRUNE = 9;

    /** Flag of an invalidated entry: let it expire only. */
    public static final int EXPIRE_ONLY = 1;

    private NotificationBytes() {}

    public static int inode(MemorySegment out, long at, long node, long offset, long length) {
        out.set(JAVA_LONG, at, node);
        out.set(JAVA_LONG, at + 8, offset);
        out.set(JAVA_LONG, at + 16, length);
        return 24;
    }

    public static int entry(MemorySegment out, long at, long parent, byte[] name, int flags) {
        out.set(JAVA_LONG, at, parent);
        out.set(JAVA_INT, at + 8, name.length);
        out.set(JAVA_INT, at + 12, flags);
        return 16 + name(out, at + 16, name);
    }

    public static int deleted(MemorySegment out, long at, long parent, long child, byte[] name) {
        out.set(JAVA_LONG, at, parent);
        out.set(JAVA_LONG, at + 8, child);
        out.set(JAVA_INT, at + 16, name.length);
        out.set(JAVA_INT, at + 20, 0);
        return 24 + name(out, at + 24, name);
    }

    /** The head of a STORE; the bytes follow it. */
    public static int store(MemorySegment out, long at, long node, long offset, int size) {
        out.set(JAVA_LONG, at, node);
        out.set(JAVA_LONG, at + 8, offset);
        out.set(JAVA_INT, at + 16, size);
        out.set(JAVA_INT, at + 20, 0);
        return 24;
    }

    public static int prune(MemorySegment out, long at, long[] nodes) {
        out.set(JAVA_INT, at, nodes.length);
        out.set(JAVA_INT, at + 4, 0);
        out.set(JAVA_LONG, at + 8, 0);
        MemorySegment.copy(nodes, 0, out, JAVA_LONG, at + 16, nodes.length);
        return 16 + nodes.length * Long.BYTES;
    }

    private static int name(MemorySegment out, long at, byte[] name) {
        MemorySegment.copy(name, 0, out, JAVA_BYTE, at, name.length);
        out.set(JAVA_BYTE, at + name.length, (byte) 0);
        return name.length + 1;
    }
}
