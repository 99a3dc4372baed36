package s3csi.mounter.config;

import java.time.Duration;

/** How long something about the bucket is believed without asking the store again. */
public sealed interface TimeToLive {
    /** Ask whenever the kernel asks; names that are not there are not kept at all. */
    record Minimal() implements TimeToLive {}

    record Lasting(Duration time) implements TimeToLive {}

    record Indefinite() implements TimeToLive {}

    /** With a cache of data, the wish is to ask the store seldom. */
    TimeToLive WITH_CACHE = new Lasting(Duration.ofSeconds(60));
}
