package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeldKeysTest {
    private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");

    /** Five minutes ahead of their end, but not before half of their life is over, and never at once. */
    @ParameterizedTest
    @CsvSource({
        "PT12H, PT11H55M",
        "PT1H, PT55M",
        "PT10M, PT5M",
        "PT8M, PT4M",
        "PT2M, PT1M",
        "PT40S, PT30S",
        "PT-20M, PT30S"
    })
    void keysAreRenewedInTimeAndNotMoreOftenThanNeeded(Duration life, Duration due) {
        HeldKeys held = HeldKeys.obtained(new Credentials.Keys("id", "secret", "token", NOW.plus(life)), NOW);

        assertThat(held.isDue(NOW.plus(due).minusMillis(1))).isFalse();
        assertThat(held.isDue(NOW.plus(due))).isTrue();
    }
}
