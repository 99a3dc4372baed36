package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.server.MinioServer;

/** Keys are in the memory of an engine, and stay there. */
@Tag("semantics")
final class PrivateMemoryTest {
    @Test
    void anEngineThatCrashesLeavesNoCore() {
        try (MinioServer server = MinioServer.startInMemory();
                Sandbox sandbox = new Sandbox(server)) {
            PrivateShell.Ran ran = sandbox.runAll("""
                    cd && ulimit -c unlimited
                    mount-s3 my-bucket /mnt -f >/dev/null &
                    engine=$!
                    until mountpoint -q /mnt; do sleep 0.05; done
                    kill -ABRT $engine
                    wait $engine 2>~/end || echo "status $?"
                    grep -o 'Aborted.*dumped' ~/end || echo "no core"
                    find ~ -name 'core*'
                    umount /mnt
                    """, Duration.ofMinutes(1));

            assertThat(ran.output()).isEqualTo("status 134\nno core\n");
            assertThat(ran.exit()).isZero();
        }
    }
}
