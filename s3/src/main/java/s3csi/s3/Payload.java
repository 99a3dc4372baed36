package s3csi.s3;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The body of an upload: native memory of the caller, in order. The store only reads it, possibly several times, and lets go of
 * it when the call returns or throws; the caller must keep it alive and unchanged until then.
 */
public final class Payload {
    public static final Payload EMPTY = new Payload(List.of());

    private final List<MemorySegment> segments;
    private final long size;

    private Payload(List<MemorySegment> segments) {
        this.segments = segments;
        long sum = 0;
        for (MemorySegment segment : segments) {
            if (!segment.isNative()) {
                throw new IllegalArgumentException("a payload must be off-heap memory, not " + segment);
            }
            sum += segment.byteSize();
        }
        this.size = sum;
    }

    public static Payload of(List<MemorySegment> segments) {
        return new Payload(List.copyOf(segments));
    }

    public static Payload of(MemorySegment... segments) {
        return new Payload(List.of(segments));
    }

    public List<MemorySegment> segments() {
        return segments;
    }

    public long size() {
        return size;
    }
}
