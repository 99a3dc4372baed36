package s3csi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The place where calls of one thread leave their errno, kept so that a call need not allocate it. One user at a time. */
public final class CallState {
    private final MemorySegment captured = Native.capture(Arena.ofAuto());

    MemorySegment captured() {
        return captured;
    }
}
