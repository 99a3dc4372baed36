package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.server.MinioServer;

/** Who may see one prefix of a bucket only can mount that, and is told what is missing when he mounts the whole. */
@Tag("semantics")
final class PrefixOnlyTest {
    private static final Duration DEADLINE = Duration.ofMinutes(3);

    private MinioServer server;
    private Sandbox sandbox;

    @BeforeEach
    void letEverybodySeeOnePrefix() {
        server = MinioServer.startInMemory();
        sandbox = new Sandbox(server);
        sandbox.client()
                .putBucketPolicy(request -> request.bucket(Sandbox.BUCKET).policy("""
                {"Version": "2012-10-17", "Statement": [
                 {"Effect": "Allow", "Principal": {"AWS": ["*"]}, "Action": ["s3:ListBucket"], "Resource": ["arn:aws:s3:::%1$s"],
                  "Condition": {"StringLike": {"s3:prefix": ["mine/*"]}}},
                 {"Effect": "Allow", "Principal": {"AWS": ["*"]}, "Action": ["s3:GetObject"],
                  "Resource": ["arn:aws:s3:::%1$s/mine/*"]}]}
                """.formatted(Sandbox.BUCKET)));
    }

    @AfterEach
    void stop() {
        sandbox.close();
        server.close();
    }

    @Test
    void thePrefixCanBeMounted() {
        PrivateShell.Ran ran = sandbox.runAll("""
                s3 put mine/d/f visible; s3 put other/g hidden
                mount-s3 my-bucket /mnt --no-sign-request --prefix mine/ >/dev/null && cd /mnt
                find . | sort; cat d/f
                cp d/f d/g || ls d
                cd / && umount /mnt
                """, DEADLINE);

        assertThat(ran.output()).isEqualTo("""
                .
                ./d
                ./d/f
                visible
                cp: failed to close 'd/g': Permission denied
                f
                """);
        assertThat(ran.exit()).isZero();
    }

    @Test
    void theWholeBucketCannotAndTheReasonIsSaid() {
        PrivateShell.Ran ran = sandbox.runAll("mount-s3 my-bucket /mnt --no-sign-request\n", DEADLINE);

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.output()).contains("my-bucket").containsIgnoringCase("denied");
    }
}
