package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.testing.process.Await;

/** A command that gives keys, or does not. */
class ProcessCredentialsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir
    private Path scratch;

    @Test
    void aCommandThatNobodyWaitsForAnyLongerIsEnded() throws Exception {
        Path pid = scratch.resolve("pid");
        Path script = Files.writeString(
                scratch.resolve("hangs"),
                "echo $$ > " + pid + ".new\nmv " + pid + ".new " + pid + "\nexec sleep 1000\n");
        ProcessCredentials credentials = new ProcessCredentials("default", "/bin/sh " + script, Map.of());
        FutureTask<Boolean> caller = new FutureTask<>(() -> {
            assertThatThrownBy(credentials::current)
                    .isInstanceOf(CredentialsException.class)
                    .hasMessageContaining("interrupted");
            return Thread.currentThread().isInterrupted();
        });
        Thread thread = Thread.ofPlatform().daemon().start(caller);
        Await.until(DEADLINE, () -> "the command does not run", () -> Files.exists(pid));
        ProcessHandle command =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();

        thread.interrupt();

        assertThat(caller.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        try {
            Await.until(DEADLINE, () -> "the command runs on", () -> !command.isAlive());
        } finally {
            command.destroyForcibly();
        }
    }
}
