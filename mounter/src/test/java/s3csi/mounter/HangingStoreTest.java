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
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Processes;
import s3csi.s3.testing.MemoryObjectStore;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.StoreScript;
import s3csi.s3.testing.process.Await;

/** Told to stop while the store takes bytes and says nothing: the end comes in time, and no file is lost without a word. */
final class HangingStoreTest extends MountStage {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** Longer than requests under way are given while somebody uses the mount, and less than files that were closed are given then. */
    private static final Duration SLOW = Duration.ofSeconds(13);

    private final MemoryObjectStore objects = new MemoryObjectStore();
    private final StoreScript good = new StoreScript(objects);
    private final ScriptedServer store = new ScriptedServer((request, reply) -> {
        if (StoreScript.keyOf(request).equals("slow") && request.method().equals("PUT")) {
            LockSupport.parkNanos(SLOW.toNanos());
            good.answer(request, reply);
        } else if (request.method().equals("PUT")) {
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
    void anEmptyFileThatWasClosedHasAsMuchTimeAsAnyOther() throws Exception {
        Program program = start();
        write("slow", 0);
        try (OutputStream open = Files.newOutputStream(mountPoint.resolve("open"))) {
            open.write(new byte[10]);
            program.process().signal(Processes.SIGTERM);
            assertThat(program.exitCode()).as(program.printed()).isZero();
        } catch (IOException _) {
            // Closing a file of a mount that is gone fails, as it must.
        }
        assertThat(objects.find("slow")).as(program.printed()).isNotNull();
        assertThat(program.printed()).doesNotContain("slow was closed, but", "slow could not be stored");
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

    /** Unmounted, the program still stores what was closed; meanwhile the place belongs to whoever mounts there next. */
    @Test
    void whatIsMountedInItsPlaceMeanwhileStays() throws Exception {
        Program program = start();
        write("slow", 0);
        assertThat(writers.getLast().waitFor()).isZero();
        Await.until(SOON, () -> "the mount is busy", this::unmounted);
        assertThat(new ProcessBuilder("mount", "-t", "tmpfs", "none", mountPoint.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();

        assertThat(program.exitCode()).as(program.printed()).isZero();

        assertThat(objects.find("slow")).as(program.printed()).isNotNull();
        assertThat(MountTable.current().topAt(mountPoint))
                .hasValueSatisfying(entry -> assertThat(entry.type()).isEqualTo("tmpfs"));
    }

    private boolean unmounted() {
        try {
            Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
            return true;
        } catch (LinuxException e) {
            assertThat(e.errno()).isEqualTo(Errno.EBUSY);
            return false;
        }
    }
}
