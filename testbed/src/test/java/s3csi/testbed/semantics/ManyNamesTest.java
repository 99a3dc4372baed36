package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Tools;

/** Directories with more names than fit into memory: what is asked about them is answered, and the engine lives. */
@Tag("semantics")
final class ManyNamesTest {
    private static final Duration DEADLINE = Duration.ofMinutes(3);

    private static final String MOUNT = """
            set -euo pipefail
            exec 2>&1 </dev/null
            mount-s3 my-bucket /mnt --memory-target 256 --metadata-ttl 600 --log-directory ~/log >/dev/null
            engine=$(pgrep -of 'mount-s3|MountS3')
            anonymous() { awk '/RssAnon/ { print int($2 / 1024) }' /proc/$engine/status; }
            """;

    private static MadeUpStore store;
    private static PrivateShell shell;

    @BeforeAll
    static void start() {
        store = new MadeUpStore()
                .with("", 4, i -> new String[] {"flat/", "long/", "many/", "tree/"}[i])
                .with("flat/", 1_000_000, i -> "f%07d".formatted(i))
                .with("long/", 120_000, i -> "%06d".formatted(i) + "x".repeat(234))
                .with("many/", 100, i -> "d%02d/".formatted(i))
                .with("tree/", 1000, i -> "d%03d/".formatted(i))
                .withEmptyPages("gaps/", 150, 4, i -> "f" + i);
        for (int i = 0; i < 100; i++) {
            store.with("many/d%02d/".formatted(i), 20_000, each -> "f%05d".formatted(each));
        }
        for (int i = 0; i < 1000; i++) {
            store.with("tree/d%03d/".formatted(i), 1000, each -> "f%03d".formatted(each));
        }
        shell = new PrivateShell(store.endpoint(), "us-east-1", new Credentials.Keys("key", "secret"));
    }

    @AfterAll
    static void end() {
        shell.close();
        store.close();
    }

    /** How many of the files that are made up, a multiple of their sizes, are larger than 500 bytes. */
    private static int larger(int files) {
        return files / MadeUpStore.SIZES * 499;
    }

    @Test
    void aMillionFilesOfOneDirectoryAreLookedAtWhileOthersReadAndWrite() {
        long questions = store.questions();
        PrivateShell.Ran ran = shell.run(MOUNT + """
                (for i in $(seq 20); do
                    head -c 300000 /dev/urandom >~/part; cp ~/part /mnt/part$i; cmp ~/part /mnt/part$i; cat /mnt/flat/f0000007 | wc -c
                    sleep 0.3
                done >~/others 2>&1) &
                others=$!
                find /mnt/flat -size +500c | wc -l
                wait $others; sort ~/others | uniq -c
                [ $(anonymous) -le 256 ] || echo "$(anonymous) MiB"
                umount /mnt
                """, DEADLINE);

        assertThat(ran.output().strip()).isEqualTo(larger(1_000_000) + "\n     20 7");
        assertThat(ran.exit()).isZero();
        // Names that were forgotten before find looked at them cost two each; if all were, that would be two million.
        assertThat(store.questions() - questions).isLessThan(500_000);
    }

    @Test
    void aMillionFilesOfAThousandDirectoriesAreLookedAt() {
        PrivateShell.Ran ran = shell.run(MOUNT + """
                find /mnt/tree -size +500c -type f | wc -l
                umount /mnt
                """, DEADLINE);

        assertThat(ran.output().strip()).isEqualTo(Integer.toString(larger(1_000_000)));
        assertThat(ran.exit()).isZero();
    }

    @Test
    void aHundredListingsAtOnceGiveAllNames() {
        PrivateShell.Ran ran = shell.run(MOUNT + """
                for i in $(seq -w 0 99); do (ls -U /mnt/many/d$i | wc -l) & listings+=($!); done | sort | uniq -c
                wait
                [ $(anonymous) -le 256 ] || echo "$(anonymous) MiB"
                umount /mnt
                """, DEADLINE);

        assertThat(ran.output().strip()).isEqualTo("100 20000");
        assertThat(ran.exit()).isZero();
    }

    @Test
    void directoriesThatWereReadAndStayOpenTakeLittleMemory() {
        PrivateShell.Ran ran = shell.run(
                MOUNT
                        + """
                ulimit -n 4000
                PYTHON - <<'END'
                import os
                open_ones = [os.open('/mnt/tree/d%03d' % (i % 1000), os.O_RDONLY) for i in range(1500)]
                print(sorted({len(os.listdir(each)) for each in open_ones}))
                END
                [ $(anonymous) -le 256 ] || echo "$(anonymous) MiB"
                umount /mnt
                """.replace(
                                "PYTHON", Tools.installed("python3", "python3").toString()),
                DEADLINE);

        assertThat(ran.output().strip()).isEqualTo("[1000]");
        assertThat(ran.exit()).isZero();
    }

    @Test
    void longNamesAreListed() {
        PrivateShell.Ran ran = shell.run(MOUNT + """
                ls -U /mnt/long | wc -l
                ls -U /mnt/long | awk '{ print length($1) }' | sort -u
                umount /mnt
                """, DEADLINE);

        assertThat(ran.output().strip()).isEqualTo("120000\n240");
        assertThat(ran.exit()).isZero();
    }

    @Test
    void hundredsOfEmptyPagesHideNothing() {
        PrivateShell.Ran ran = shell.run(MOUNT + "ls /mnt/gaps && umount /mnt", DEADLINE);

        assertThat(ran.output().strip()).isEqualTo("f0\nf1\nf2\nf3");
        assertThat(ran.exit()).isZero();
    }
}
