package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.server.MinioServer;

/** A user whose calls fail does not fill the disk of the one who mounted. */
@Tag("semantics")
final class LogFloodTest {
    @Test
    void thousandsOfCallsThatFailAreAFewLines() {
        try (MinioServer server = MinioServer.startInMemory();
                Sandbox sandbox = new Sandbox(server)) {
            PrivateShell.Ran ran = sandbox.runAll("""
                    s3 put f text
                    mount-s3 my-bucket /mnt --log-directory ~/logs --metadata-ttl 60 >/dev/null
                    for i in {1..3000}; do { : >>/mnt/f; } 2>/dev/null || true; done
                    rm /mnt/f 2>/dev/null || true
                    grep -c 'open failed with EPERM: f exists and may not be' ~/logs/*
                    grep -c 'unlink failed with EPERM: f may not be' ~/logs/*
                    [ $(wc -c <~/logs/*) -lt 20000 ]
                    cd / && umount /mnt
                    """, Duration.ofMinutes(1));

            assertThat(ran.output()).isEqualTo("20\n1\n");
            assertThat(ran.exit()).isZero();
        }
    }
}
