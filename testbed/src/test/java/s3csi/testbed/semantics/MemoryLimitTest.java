package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.MemoryGroup;
import s3csi.s3.testing.server.MinioServer;

/** The limit of a container is kept, or a mount is refused: the kernel never has to kill an engine. */
@Tag("semantics")
final class MemoryLimitTest {
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final long MIB = 1 << 20;

    /** Only the engine is in the group: what its users do with what they read is theirs. */
    private static final String MOUNT = """
            (echo 0 >%s && exec mount-s3 my-bucket /mnt --foreground) >~/log 2>&1 &
            until mountpoint -q /mnt; do kill -0 $! || { wait $! || code=$?; cat ~/log; exit $code; }; sleep 0.1; done
            """;

    @Test
    void aHundredReadersAndTwentyWritersFitInto128MiB() {
        try (MinioServer server = MinioServer.start();
                Sandbox sandbox = new Sandbox(server);
                MemoryGroup group = MemoryGroup.limitedTo(128 * MIB)) {
            Sandbox.Ran ran = sandbox.runAll(
                    MOUNT.formatted(group.entrance()) + """
                    head -c 4000000 /dev/urandom >~/small && head -c 20000000 /dev/urandom >~/large
                    for i in $(seq 100); do cp ~/small /mnt/small$i; done
                    umount /mnt && wait
                    """ + MOUNT.formatted(group.entrance()) + """
                    all() { for i in $(seq $1); do "$2" $i & users+=($!); done; wait "${users[@]}"; users=(); }
                    read_one() { cmp ~/small /mnt/small$1 || echo "$1 differs"; }
                    write_one() { cp ~/large /mnt/large$1 || echo "$1 was not written"; }
                    all 100 read_one && all 20 write_one
                    for i in $(seq 20); do cmp ~/large /mnt/large$i; done
                    umount /mnt && wait
                    """, DEADLINE);

            assertThat(ran.output()).isEmpty();
            assertThat(ran.exit()).isZero();
            assertThat(group.kills()).isZero();
        }
    }

    @Test
    void aContainerWithoutRoomIsRefusedInWords() {
        try (MinioServer server = MinioServer.start();
                Sandbox sandbox = new Sandbox(server);
                MemoryGroup group = MemoryGroup.limitedTo(64 * MIB)) {
            Sandbox.Ran ran = sandbox.runAll(MOUNT.formatted(group.entrance()), DEADLINE);

            assertThat(ran.output()).contains("64 MiB", "raise the container's memory limit");
            assertThat(ran.exit()).isEqualTo(1);
            assertThat(group.kills()).isZero();
        }
    }
}
