package s3csi.filesystem.inode;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long names and attributes are believed without asking the store again, by us and by the kernel.
 *
 * @param metadata of what is there
 * @param negative of what is not there; has no effect while lookups ask anyway
 */
public record MetadataCaching(TimeToLive metadata, TimeToLive negative) {
    private static final long MINIMAL_FILE = Duration.ofMillis(100).toNanos();
    private static final long MINIMAL_DIRECTORY = Duration.ofSeconds(1).toNanos();
    private static final long HUNDRED_YEARS = Duration.ofDays(36_500).toNanos();

    public static final MetadataCaching MINIMAL = of(new TimeToLive.Minimal(), null);

    /** The negative time defaults to the other one. */
    public static MetadataCaching of(TimeToLive metadata, @Nullable TimeToLive negative) {
        return new MetadataCaching(metadata, negative == null ? metadata : negative);
    }

    /** Validity of what is known about a file. */
    long fileNanos() {
        return servesLookups() ? nanos(metadata) : MINIMAL_FILE;
    }

    /** Validity of a directory's existence. */
    long directoryNanos() {
        return servesLookups() ? nanos(metadata) : MINIMAL_DIRECTORY;
    }

    /** Whether lookups and opens of files are answered from what is known; if not, only getattr is. */
    public boolean servesLookups() {
        return !(metadata instanceof TimeToLive.Minimal);
    }

    /** How long an absent name is believed absent; 0 for not at all. */
    long negativeNanos() {
        return servesLookups() ? nanos(negative) : 0;
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
        return Math.max(negativeNanos(), MINIMAL_FILE);
    }
}
