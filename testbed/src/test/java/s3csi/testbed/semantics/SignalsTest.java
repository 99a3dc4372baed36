package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.s3.TcpProxy;

/**
 * Programs that get signals while they wait for a store that is far away: shells with jobs, git with its progress, timers, stopped and killed
 * processes. Whatever comes, an answer is the right one.
 */
@Tag("semantics")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SignalsTest {
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final Duration LATENCY = Duration.ofMillis(100);

    private MinioServer server;

    @BeforeAll
    void start() {
        server = MinioServer.startInMemory();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /**
     * Runs a script that must succeed at every step, and print exactly this. In it {@code far-away} makes the store that distant for mounts to come,
     * and {@code store silent} and {@code store back} are switches for the mounts that are so.
     */
    private void run(String script, String output) {
        try (TcpProxy proxy = TcpProxy.before(server.endpoint());
                StoreSwitch store = StoreSwitch.of(proxy);
                Sandbox sandbox = new Sandbox(server)) {
            proxy.delayRequests(LATENCY);
            String distance = "far-away() { export AWS_ENDPOINT_URL=" + proxy.endpoint() + "; }\n";
            PrivateShell.Ran ran = sandbox.runAll(
                    store.shellFunction() + distance + script + "cd / && umount /mnt && wait\n", DEADLINE);
            assertThat(ran.output()).isEqualTo(output);
            assertThat(ran.exit()).as(ran.output()).isZero();
        }
    }

    @Test
    void aShellWhoseJobsEndSeesWhatIsThere() {
        run("""
                for i in {1..8}; do s3 put d$i/existing text; done
                far-away
                mount-s3 my-bucket /mnt >/dev/null
                for i in {1..8}; do
                    for pause in 0.02 0.05 0.08 0.12; do sleep $pause & done
                    if [ -e /mnt/d$i/existing ] && [ ! -e /mnt/d$i/other ]; then echo right; else echo wrong; fi
                done | sort | uniq -c
                """, "      8 right\n");
    }

    /** With its progress shown, git has a timer of one second. It also looks for 256 directories one after the other. */
    @Test
    void gitFindsItsObjectsWhileItShowsProgress() {
        run("""
                export GIT_CONFIG_COUNT=3 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=user GIT_CONFIG_KEY_1=user.email \\
                    GIT_CONFIG_VALUE_1=user@example.com GIT_CONFIG_KEY_2=safe.directory GIT_CONFIG_VALUE_2='*'
                git init -q -b main --template= ~/clone && cd ~/clone
                for i in {1..3}; do echo $i >> numbers; echo $i > f$i; git add .; git commit -qm "commit $i"; done
                mount-s3 my-bucket /mnt >/dev/null && cp -r ~/clone /mnt/ && cd / && umount /mnt
                far-away
                mount-s3 my-bucket /mnt --read-only >/dev/null && cd /mnt/clone
                git fsck --full --progress 2>~/progress && grep -c 'Checking object' ~/progress >/dev/null
                git status --short
                git log --format=%s | cat
                """, """
                commit 3
                commit 2
                commit 1
                """);
    }

    /** Each call takes longer than the time between two ticks, so one that fails by a tick fails for ever. */
    @Test
    void aProgramWithATimerWritesReadsAndLists() {
        run("""
                far-away
                mount-s3 my-bucket /mnt --allow-delete >/dev/null && cd /mnt
                %s - <<'END'
                import ctypes, errno, os, signal

                ticks = 0
                def tick(*_):
                    global ticks
                    ticks += 1
                signal.signal(signal.SIGALRM, tick)
                signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
                content = os.urandom(3_000_000)
                for i in range(3):
                    os.makedirs(f'd{i}')
                    with open(f'd{i}/f', 'wb', buffering=0) as file:
                        for at in range(0, len(content), 500_000):
                            assert file.write(content[at:at + 500_000]) == 500_000
                        os.fsync(file.fileno())
                    with open(f'd{i}/f', 'rb') as file:
                        assert file.read() == content
                    assert os.listdir(f'd{i}') == ['f']
                # Python repeats what a signal ended; C does not.
                libc = ctypes.CDLL(None, use_errno=True)
                for i in range(10):
                    assert libc.access(f'absent{i}'.encode(), 0) == -1 and ctypes.get_errno() == errno.ENOENT
                    assert libc.access(f'd{i %% 3}/f'.encode(), 0) == 0
                for i in range(3):
                    assert libc.unlink(f'd{i}/f'.encode()) == 0
                signal.setitimer(signal.ITIMER_REAL, 0)
                print('ticked' if ticks > 20 else f'only {ticks} ticks')
                END
                s3 ls
                """.formatted(Tools.installed("python3", "python3")), "ticked\n");
    }

    @Test
    void aSearchThatIsStoppedAndContinuedFindsAll() {
        run("""
                for i in {1..6}; do for j in 1 2 3; do s3 put tree/d$i/e$j/leaf text; done; done
                far-away
                mount-s3 my-bucket /mnt >/dev/null
                find /mnt/tree -type f >~/found &
                search=$!
                while kill -STOP $search 2>/dev/null; do sleep 0.03; kill -CONT $search; sleep 0.05; done
                wait $search
                wc -l <~/found
                """, "18\n");
    }

    @Test
    void aKilledProgramEndsThoughTheStoreIsSilentAndTheMountGoesOn() {
        run("""
                for key in a b c d; do s3 put $key "text of $key"; done
                far-away
                mount-s3 my-bucket /mnt >/dev/null && cd /mnt
                cat a
                store silent
                cat b & plain=$!
                cat c & stopped=$!
                ls -l . >/dev/null & ended=$!
                # Where the kernel says that a process waits for the answer of a mount.
                for reader in $plain $stopped $ended; do until grep -q request_wait /proc/$reader/wchan; do sleep 0.01; done; done
                kill -STOP $stopped; sleep 0.1; kill -CONT $stopped; sleep 0.1
                kill -0 $plain $stopped $ended
                before=$EPOCHREALTIME
                kill -KILL $plain $stopped; kill -TERM $ended
                for reader in $plain $stopped $ended; do wait $reader 2>/dev/null && status=0 || status=$?; echo "ended by $((status - 128))"; done
                [ $(( ${EPOCHREALTIME/./} - ${before/./} )) -lt 5000000 ] && echo "soon"
                store back
                cat d b
                """, """
                text of a
                ended by 9
                ended by 9
                ended by 15
                soon
                text of d
                text of b
                """);
    }

    /** As in a Mountpoint Pod, which sees nobody else's processes: the request goes on, and with its answer the killed program ends. */
    @Test
    void aProgramThatTheEngineCannotSeeEndsWithItsAnswer() {
        run("""
                for key in a b c; do s3 put $key "text of $key"; done
                far-away
                unshare --pid --fork --kill-child mount-s3 my-bucket /mnt --foreground >~/log 2>&1 &
                until mountpoint -q /mnt; do sleep 0.05; done
                cd /mnt
                cat a
                store silent
                cat b & reader=$!
                waits() { grep -q request_wait /proc/$reader/wchan; }
                until waits; do sleep 0.01; done
                kill -KILL $reader
                sleep 1
                waits && echo "still waits"
                store back
                wait $reader 2>/dev/null && status=0 || status=$?
                echo "ended by $((status - 128))"
                cat c b
                """, """
                text of a
                still waits
                ended by 9
                text of c
                text of b
                """);
    }
}
