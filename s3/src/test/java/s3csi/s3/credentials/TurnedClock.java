package s3csi.s3.credentials;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that the test turns. */
final class TurnedClock extends Clock {
    private volatile Instant now;

    TurnedClock(Instant start) {
        now = start;
    }

    void turn(Duration on) {
        now = now.plus(on);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
