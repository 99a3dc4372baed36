package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
    private static RetryPolicy policy(int attempts) {
        return new RetryPolicy(attempts, new Random(7), _ -> {});
    }

    @ParameterizedTest
    @CsvSource({"1, 500", "2, 1000", "3, 2000", "6, 16000", "7, 20000", "9, 20000", "100, 20000"})
    void waitsAreSpreadFromZeroToALimitThatDoublesUpToTwentySeconds(int attempts, long limitMillis) {
        RetryPolicy policy = policy(10);

        long[] waits = IntStream.range(0, 2000)
                .mapToLong(_ -> policy.wait(attempts).toMillis())
                .toArray();

        assertThat(IntStream.range(0, 2000).mapToLong(i -> waits[i]).max().orElseThrow())
                .isBetween(limitMillis * 95 / 100, limitMillis);
        assertThat(IntStream.range(0, 2000).mapToLong(i -> waits[i]).min().orElseThrow())
                .isLessThan(limitMillis * 5 / 100);
    }

    @Test
    void retriesTakeTokensAndSuccessesPayBack() {
        RetryPolicy policy = policy(1000);
        int permitted = 0;
        while (policy.permits(1, false)) {
            permitted++;
        }
        assertThat(permitted).isEqualTo(50);

        policy.succeeded(2, false);
        assertThat(policy.permits(1, false)).isTrue();
        assertThat(policy.permits(1, false)).isFalse();

        for (int i = 0; i < 5; i++) {
            policy.succeeded(1, false);
        }
        assertThat(policy.permits(1, true)).isTrue();
    }

    @Test
    void oneAttemptMeansNoRetry() {
        assertThat(policy(1).permits(1, true)).isFalse();
        assertThat(RetryPolicy.BASE).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void everyAnswerOfTheStorePaysBack() throws InterruptedException {
        RetryPolicy policy = policy(1000);
        while (policy.permits(1, false)) {
            // All that there is.
        }
        for (int i = 0; i < 10; i++) {
            Tries tries = policy.triesOf(new HeadCall("key"));
            tries.awaitTurn();
            tries.answered();
            tries.ended();
        }
        assertThat(policy.permits(1, false)).isTrue();
    }
}
