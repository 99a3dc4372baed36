package s3csi.mounter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.linux.Processes;
import s3csi.s3.testing.MemoryObjectStore;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.StoreScript;
import s3csi.s3.testing.process.Await;

/** Told to stop while the store takes bytes and says nothing: the end comes in time, and no file is lost without a word. */
final class HangingStoreTest extends MountStage {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final StoreScript good = new StoreScript(new MemoryObjectStore());
    private final ScriptedServer store = new ScriptedServer((request, reply) -> {
        if (request.method().equals("PUT")) {
            reply.stall();
        } else {
            good.answer(request, reply);
        }
    });

    private final List<Process> writers = new ArrayList<>();

    private Program start() throws Exception {
        Map<String, String> environment = new HashMap<>(environment());
        environment.put("AWS_ENDPOINT_URL", store.address().toString());
        return mounted(started(Program.start(scratch, environment, BUCKET, mountPoint.toString(), "--foreground")));
    }

    @AfterEach
    void end() {
        writers.forEach(Process::destroyForcibly);
        store.close();
    }

    /** Writes a file in a process of its own, which hangs in its close, and returns when the store has bytes of it. */
    private void write(String name, int bytes) throws Exception {
        String file = mountPoint.resolve(name).toString();
        writers.add(new ProcessBuilder("sh", "-c", "head -c " + bytes + " /dev/zero > " + file)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
        Await.until(
                SOON,
                () -> "nothing of " + name + " came to the store",
                () -> store.requests().stream()
                        .anyMatch(request -> request.method().equals("PUT")
                                && StoreScript.keyOf(request).equals(name)));
    }

    @Test
    void aSignalEndsInTimeAndEveryFileIsNamed() throws Exception {
        Program program = start();
        write("small", 10);
        write("large", 20_000_000);
        try (OutputStream open = Files.newOutputStream(mountPoint.resolve("open"))) {
            open.write(new byte[10]);
            program.process().signal(Processes.SIGTERM);
            // Not 0 but 1 would say that the time was over before good order was.
            assertThat(program.exitCode()).as(program.printed()).isZero();
        } catch (IOException _) {
            // Closing a file of a mount that is gone fails, as it must.
        }
        assertThat(program.printed())
                .contains("small was closed, but the store did not confirm it")
                // Whether its writer came to the close in time is up to the machine.
                .containsPattern("large was (closed, but the store did not confirm it|still being written)")
                .contains("open was still being written when the mount ended; it was not stored");
        assertThat(isMounted()).isFalse();
    }

    @Test
    void aSecondSignalEndsAtOnceAndNamesTheFilesToo() throws Exception {
        Program program = start();
        write("small", 10);
        program.process().signal(Processes.SIGTERM);
        program.awaitPrinted("told to stop by SIGTERM");
        program.process().signal(Processes.SIGTERM);

        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.printed()).contains("told to stop again", "small is not known to be stored");
    }
}
