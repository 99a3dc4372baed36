package s3csi.filesystem.inode;

import java.time.Duration;

/** How long something learnt from the store is believed, in the three forms that users write. */
public sealed interface TimeToLive {
    /** As short as a file system can live with. */
    record Minimal() implements TimeToLive {}

    record For(Duration duration) implements TimeToLive {}

    record Indefinite() implements TimeToLive {}
}
