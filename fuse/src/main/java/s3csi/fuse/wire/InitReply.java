package s3csi.fuse.wire;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import s3csi.fuse.Negotiated;

/** The answer to INIT, in the size that the kernel's minor has. */
public final class InitReply {
    /** The protocol major that is spoken here, since 2005. */
    public static final int MAJOR = 7;
    /** The newest minor whose structures are known here. */
    public static final int NEWEST_MINOR = 45;
    /** The oldest minor that is understood. */
    public static final int OLDEST_MINOR = 6;

    private static final int SIZE = 64;
    private static final int OLD_SIZE = 24;
    /** Since this minor the structure is as long as it is today. */
    private static final int LONG_MINOR = 23;

    private InitReply() {}

    public static int write(MemorySegment out, long at, Negotiated n, int kernelMinor) {
        out.asSlice(at, SIZE).fill((byte) 0);
        out.set(JAVA_INT, at, MAJOR);
        out.set(JAVA_INT, at + 4, n.minor());
        out.set(JAVA_INT, at + 8, n.maxReadahead());
        out.set(JAVA_INT, at + 12, (int) n.capabilities());
        out.set(JAVA_SHORT, at + 16, (short) n.maxBackground());
        // Three quarters: from there on the kernel holds back readahead.
        out.set(JAVA_SHORT, at + 18, (short) (n.maxBackground() * 3 / 4));
        out.set(JAVA_INT, at + 20, n.maxWrite());
        out.set(JAVA_INT, at + 24, 1);
        out.set(JAVA_SHORT, at + 28, (short) n.maxPages());
        out.set(JAVA_INT, at + 32, (int) (n.capabilities() >>> 32));
        return kernelMinor < LONG_MINOR ? OLD_SIZE : SIZE;
    }

    /** What a kernel with a newer major gets: our major only, and it asks again. */
    public static int otherMajor(MemorySegment out, long at) {
        out.asSlice(at, SIZE).fill((byte) 0);
        out.set(JAVA_INT, at, MAJOR);
        out.set(JAVA_INT, at + 4, NEWEST_MINOR);
        return SIZE;
    }
}
