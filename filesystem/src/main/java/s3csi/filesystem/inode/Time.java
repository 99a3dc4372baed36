package s3csi.filesystem.inode;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The two clocks: one that users see in attributes and that may jump, one that measures.
 *
 * @param wall for attributes
 * @param monotonic nanoseconds from any origin, for validity
 */
public record Time(InstantSource wall, LongSupplier monotonic) {
    public static Time system() {
        return new Time(InstantSource.system(), System::nanoTime);
    }

    public long now() {
        return monotonic.getAsLong();
    }
}
