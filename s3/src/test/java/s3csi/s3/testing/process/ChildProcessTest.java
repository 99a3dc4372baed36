package s3csi.s3.testing.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChildProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    @Test
    void showsWhatAFailedProgramPrinted() {
        assertThatThrownBy(() -> ChildProcess.run(
                        List.of("sh", "-c", "echo the reason; exit 7"), Map.of(), directory.resolve("log"), PATIENCE))
                .hasMessageContaining("sh failed (exit code 7)")
                .hasMessageContaining("the reason");
    }

    @Test
    void givesAProgramOnlyTheEnvironmentItWasGiven() throws IOException {
        Path log = directory.resolve("log");

        ChildProcess.run(List.of("env"), Map.of("GIVEN", "yes"), log, PATIENCE);

        assertThat(Files.readAllLines(log)).contains("GIVEN=yes").allMatch(line -> line.matches("(GIVEN|PATH)=.*"));
    }

    @Test
    void livesOnWhenTheThreadThatStartedItEnds() throws InterruptedException {
        var started = new ChildProcess[1];
        Thread starter = Thread.ofPlatform()
                .start(() ->
                        started[0] = ChildProcess.start(List.of("sleep", "600"), Map.of(), directory.resolve("log")));
        starter.join();

        try (ChildProcess child = started[0]) {
            assertThat(child.hasEndedWithin(Duration.ofMillis(200))).isFalse();
        }
        assertThat(started[0].isAlive()).isFalse();
    }

    @Test
    void diesWithAJvmThatIsKilled() throws IOException {
        Path pidFile = directory.resolve("pid");
        try (var jvm = ChildProcess.start(
                List.of(
                        Tools.ofTheJdk("java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Orphanage.class.getName(),
                        pidFile.toString()),
                Map.of(),
                directory.resolve("jvm.log"))) {
            Await.until(PATIENCE, () -> jvm.story("started no child"), () -> Files.exists(pidFile));
            ProcessHandle grandchild =
                    ProcessHandle.of(Long.parseLong(Files.readString(pidFile))).orElseThrow();
            assertThat(grandchild.isAlive()).isTrue();

            jvm.kill();

            Await.until(PATIENCE, () -> "the child lives on: " + grandchild.pid(), () -> !grandchild.isAlive());
        }
    }

    /** A JVM with one child that would run for long. */
    static final class Orphanage {
        private Orphanage() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Path pidFile = Path.of(arguments[0]);
            var child = ChildProcess.start(List.of("sleep", "600"), Map.of(), pidFile.resolveSibling("child.log"));
            Path unfinished = Files.writeString(pidFile.resolveSibling("pid.new"), Long.toString(child.pid()));
            Files.move(unfinished, pidFile);
            Thread.currentThread().join();
        }
    }
}
