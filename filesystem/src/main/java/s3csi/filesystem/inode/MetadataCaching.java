package s3csi.filesystem.inode;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long names and attributes are believed without asking the store again, by us and by the kernel.
 *
 * @param fileNanos validity of what is known about a file
 * @param directoryNanos validity of a directory's existence
 * @param servesLookups whether lookups and opens of files are answered from what is known; if not, only getattr is
 * @param negativeNanos how long an absent name is believed absent; 0 for not at all
 */
public record MetadataCaching(long fileNanos, long directoryNanos, boolean servesLookups, long negativeNanos) {
    private static final long MINIMAL_FILE = Duration.ofMillis(100).toNanos();
    private static final long MINIMAL_DIRECTORY = Duration.ofSeconds(1).toNanos();
    private static final long HUNDRED_YEARS = Duration.ofDays(36_500).toNanos();

    public static final MetadataCaching MINIMAL = of(new TimeToLive.Minimal(), null);

    /** The negative time defaults to the other one, and has no effect while lookups ask anyway. */
    public static MetadataCaching of(TimeToLive metadata, @Nullable TimeToLive negative) {
        long absent = nanos(negative == null ? metadata : negative);
        return switch (metadata) {
            case TimeToLive.Minimal() -> new MetadataCaching(MINIMAL_FILE, MINIMAL_DIRECTORY, false, 0);
            case TimeToLive.For _, TimeToLive.Indefinite _ ->
                new MetadataCaching(nanos(metadata), nanos(metadata), true, absent);
        };
    }

    private static long nanos(TimeToLive time) {
        return switch (time) {
            case TimeToLive.Minimal() -> 0;
            case TimeToLive.For(Duration duration) ->
                duration.compareTo(Duration.ofNanos(HUNDRED_YEARS)) > 0 ? HUNDRED_YEARS : duration.toNanos();
            case TimeToLive.Indefinite() -> HUNDRED_YEARS;
        };
    }

    /**
     * How long a name that was just found absent may be created without asking again. The kernel looks a name up right before it
     * creates it, and whoever uploads last wins anyway.
     */
    long absenceForCreation() {
        return Math.max(negativeNanos, MINIMAL_FILE);
    }
}
