package s3csi.driver.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.linux.PeerCredentials;
import s3csi.linux.Processes;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;

class SpawnedEnginesTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Path scratch;
    private final SourceDirectory source;

    SpawnedEnginesTest(@TempDir Path scratch) {
        this.scratch = scratch;
        source = SourceDirectory.in(scratch, "mp-1");
        source.create(new SourceIdentity("v", "bucket", "", SourceIdentity.KeyKind.DRIVER));
    }

    private Path program(String text) throws IOException {
        Path program = Files.writeString(scratch.resolve("engine"), text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    @Test
    void anEngineIsFoundAgainByItsDirectory() throws IOException {
        Path command = program("#!/bin/sh\necho started\nread forever < " + fifo() + "\n");
        EngineHost host = new SpawnedEngines(command);
        OwnedEngine engine = host.start(source);
        try {
            assertThat(engine.isAlive()).isTrue();
            awaitFound(host);
            assertThat(host.find(SourceDirectory.in(scratch, "mp-2"))).isEmpty();
            assertThat(engine.awaitEnd(Duration.ZERO)).isFalse();
        } finally {
            new SpawnedEngines(command).find(source).orElseThrow().kill();
        }
        assertThat(engine.awaitEnd(LONG)).isTrue();
        assertThat(host.find(source)).isEmpty();
        engine.kill();
    }

    @Test
    void aProcessThatOnlyHasTheCommandLineOfAnEngineIsNone() throws Exception {
        // From its input: it would take the argument for a file, and end because there is none.
        assertIsNoEngine("awk", "--", "BEGIN { getline < \"-\" }");
    }

    /** As root, so that there is another user to be. */
    @Test
    @Tag("engine")
    void aProcessOfAnotherUserIsNoEngineThoughItRunsTheSameProgram() throws Exception {
        assertIsNoEngine("setpriv", "--reuid=65534", "--clear-groups", "/bin/sh", "-c", "read line", "engine");
    }

    /** Runs a program that waits for its input with the argument of an engine. */
    private void assertIsNoEngine(String... program) throws Exception {
        EngineHost host = new SpawnedEngines(program("#!/bin/sh\nread forever < " + fifo() + "\n"));
        String argument = "--comm-dir=" + source.comm();
        List<String> line = new ArrayList<>(List.of(program));
        line.add(argument);
        Process decoy = new ProcessBuilder(line).start();
        try {
            Path process = Path.of("/proc", Long.toString(decoy.pid()));
            Deadline deadline = Deadline.after(LONG);
            // What begins as another program has that one's command line first.
            while (!SpawnedEngines.commandLine(process).contains(argument)
                    || SpawnedEngines.commandLine(process).contains("--clear-groups")) {
                assertThat(deadline.isOver()).as("the decoy has not started").isFalse();
            }
            assertThat(host.find(source)).isEmpty();
            OwnedEngine engine = host.start(source);
            awaitFound(host);
            assertThat(host.find(source)).hasToString(Optional.of(engine).toString());
            engine.kill();
        } finally {
            decoy.destroyForcibly().waitFor();
        }
    }

    /** In the middle of its exec a process has no command line yet. */
    private void awaitFound(EngineHost host) {
        Deadline deadline = Deadline.after(LONG);
        while (host.find(source).isEmpty()) {
            assertThat(deadline.isOver()).as("the engine is not found").isFalse();
        }
    }

    /** What nobody writes to keeps a reader waiting. */
    private Path fifo() throws IOException {
        Path fifo = scratch.resolve("fifo");
        try {
            assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                    .isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return fifo;
    }

    @Test
    void whatItSaidLastIsKeptAndItSeesNothingOfTheDriver() throws IOException {
        OwnedEngine engine = new SpawnedEngines(program("#!/bin/sh\nenv\necho oh no >&2\nexit 1\n")).start(source);
        assertThat(engine.awaitEnd(LONG)).isTrue();
        assertThat(new String(engine.lastWords(), StandardCharsets.UTF_8))
                .contains("LANG=C.UTF-8", "oh no")
                .doesNotContain("JAVA", "HOME");
    }

    /** In place of its log it leaves a pipe that nothing writes to, or a link to a file that is none of its business. */
    @ParameterizedTest
    @ValueSource(strings = {"mkfifo \"$log\"", "ln -s /proc/self/environ \"$log\"", "mkdir \"$log\""})
    @Timeout(60)
    void aLogThatIsNoFileHoldsNothingUp(String instead) throws IOException {
        OwnedEngine engine = new SpawnedEngines(
                        program("#!/bin/sh\nlog='" + source.log() + "'\nrm \"$log\"\n" + instead + "\n"))
                .start(source);
        assertThat(engine.awaitEnd(LONG)).isTrue();
        assertThat(engine.lastWords()).isEmpty();
    }

    @Test
    void anEngineLivesWhileItTurnsIntoAnotherProgram() throws IOException {
        Path end = scratch.resolve("end");
        OwnedEngine engine =
                new SpawnedEngines(program("#!/bin/sh\n[ -e '" + end + "' ] || exec \"$0\" \"$@\"\n")).start(source);
        for (int look = 0; look < 2000; look++) {
            assertThat(engine.isAlive()).isTrue();
        }
        Files.createFile(end);
        assertThat(engine.awaitEnd(LONG)).isTrue();
    }

    @Test
    void onlyTheEngineItselfIsItsPeer() throws IOException {
        OwnedEngine engine = new EngineProcess(42, source.log());
        int uid = Processes.effectiveUserId();
        assertThat(engine.isPeer(new PeerCredentials(42, uid, 0))).isTrue();
        assertThat(engine.isPeer(new PeerCredentials(0, uid, 0))).isTrue();
        assertThat(engine.isPeer(new PeerCredentials(43, uid, 0))).isFalse();
        assertThat(engine.isPeer(new PeerCredentials(42, uid + 1, 0))).isFalse();
    }

    @Test
    void aProgramThatIsNotThereIsNamed() throws IOException {
        for (Path missing : new Path[] {scratch.resolve("nothing"), scratch, program("no program")}) {
            assertThatThrownBy(() -> new SpawnedEngines(missing).start(source))
                    .isInstanceOfSatisfying(
                            VolumeFailure.class,
                            failure -> assertThat(failure.reason())
                                    .isInstanceOfSatisfying(
                                            NodeCause.EngineMissing.class,
                                            cause -> assertThat(cause.command()).isEqualTo(missing.toString())));
        }
    }
}
