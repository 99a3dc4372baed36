package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.MemoryGroup;
import s3csi.s3.testing.server.MinioServer;

/** What a mount may take is kept, or the mount is refused: the kernel never has to kill an engine. */
@Tag("semantics")
final class MemoryLimitTest {
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final long MIB = 1 << 20;

    private static final String FILES = """
            head -c 4000000 /dev/urandom >~/small && head -c 20000000 /dev/urandom >~/large
            for i in $(seq 100); do cp ~/small /mnt/small$i; done
            umount /mnt && wait
            """;

    private static final String CROWD = """
            all() { for i in $(seq $1); do "$2" $i & users+=($!); done; wait "${users[@]}"; users=(); }
            read_one() { cmp ~/small /mnt/small$1 || echo "$1 differs"; }
            write_one() { cp ~/large /mnt/large$1 || echo "$1 was not written"; }
            all 100 read_one && all 20 write_one
            for i in $(seq 20); do cmp ~/large /mnt/large$i; done
            """;

    @Test
    void aHundredReadersAndTwentyWritersFitInto128MiB() {
        try (MinioServer server = MinioServer.start();
                Sandbox sandbox = new Sandbox(server);
                MemoryGroup group = MemoryGroup.limitedTo(128 * MIB)) {
            PrivateShell.Ran ran = sandbox.runAll(
                    mount(group, "") + FILES + mount(group, "") + CROWD + "umount /mnt && wait", DEADLINE);

            assertThat(ran.output()).isEmpty();
            assertThat(ran.exit()).isZero();
            assertThat(group.kills()).isZero();
        }
    }

    /** Pages of the program's own files are left out: a container's limit does not count those that can be dropped, either. */
    @Test
    void theyKeepToATargetWhereTheContainerHasMore() {
        try (MinioServer server = MinioServer.start();
                Sandbox sandbox = new Sandbox(server);
                MemoryGroup group = MemoryGroup.limitedTo(1024 * MIB)) {
            String mount = mount(group, "--memory-target 128");
            PrivateShell.Ran ran = sandbox.runAll(mount + FILES + mount + CROWD + """
                    awk '/RssAnon/ { if ($2 > 128 * 1024) print $2, "KiB" }' /proc/$engine/status
                    umount /mnt && wait
                    """, DEADLINE);

            assertThat(ran.output()).isEmpty();
            assertThat(ran.exit()).isZero();
        }
    }

    /** Far more bytes in writes that wait than there is memory for. */
    @Test
    void threeHundredWritersFitInto256MiB() {
        try (MinioServer server = MinioServer.start();
                Sandbox sandbox = new Sandbox(server);
                MemoryGroup group = MemoryGroup.limitedTo(256 * MIB)) {
            PrivateShell.Ran ran = sandbox.runAll(mount(group, "--memory-target 256") + """
                    head -c 3000000 /dev/urandom >~/file
                    for i in $(seq 300); do
                        dd if=~/file of=/mnt/file$i bs=1M status=none || echo "$i was not written" & users+=($!)
                    done
                    wait "${users[@]}"
                    awk '/RssAnon/ { if ($2 > 256 * 1024) print $2, "KiB" }' /proc/$engine/status
                    for i in $(seq 1 10 300); do cmp ~/file /mnt/file$i; done
                    ls /mnt | wc -l
                    umount /mnt && wait
                    """, DEADLINE);

            assertThat(ran.output().strip()).isEqualTo("300");
            assertThat(ran.exit()).isZero();
            assertThat(group.kills()).isZero();
        }
    }

    @Test
    void aContainerWithoutRoomIsRefusedInWords() {
        try (MinioServer server = MinioServer.start();
                Sandbox sandbox = new Sandbox(server);
                MemoryGroup group = MemoryGroup.limitedTo(64 * MIB)) {
            PrivateShell.Ran ran = sandbox.runAll(mount(group, ""), DEADLINE);

            assertThat(ran.output()).contains("64 MiB", "raise the container's memory limit");
            assertThat(ran.exit()).isEqualTo(1);
            assertThat(group.kills()).isZero();
        }
    }

    /** Only the engine is in the group: what its users do with what they read is theirs. */
    private static String mount(MemoryGroup group, String options) {
        return """
                (echo 0 >%s && exec mount-s3 my-bucket /mnt --foreground %s) >~/log 2>&1 &
                engine=$!
                until mountpoint -q /mnt; do
                    kill -0 $engine || { wait $engine || code=$?; cat ~/log; exit $code; }
                    sleep 0.1
                done
                """.formatted(group.entrance(), options);
    }
}
