package s3csi.driver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.linux.PeerCredentials;
import s3csi.linux.Processes;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;

class SpawnedEnginesTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Path scratch;
    private final SourceDirectory source;

    SpawnedEnginesTest(@TempDir Path scratch) {
        this.scratch = scratch;
        source = SourceDirectory.in(scratch, "mp-1");
        source.create(new VolumeId("v"));
    }

    private Path program(String text) throws IOException {
        Path program = Files.writeString(scratch.resolve("engine"), text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    @Test
    void anEngineIsFoundAgainByItsDirectory() throws IOException {
        EngineHost host = new SpawnedEngines(program("#!/bin/sh\necho started\nread forever < " + fifo() + "\n"));
        Engine engine = host.start(source);
        try {
            assertThat(engine.isAlive()).isTrue();
            assertThat(host.find(source)).isPresent();
            assertThat(host.find(SourceDirectory.in(scratch, "mp-2"))).isEmpty();
            assertThat(engine.awaitEnd(Duration.ZERO)).isFalse();
        } finally {
            new SpawnedEngines(Path.of("/other")).find(source).orElseThrow().kill();
        }
        assertThat(engine.awaitEnd(LONG)).isTrue();
        assertThat(host.find(source)).isEmpty();
        engine.kill();
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
        Engine engine = new SpawnedEngines(program("#!/bin/sh\nenv\necho oh no >&2\nexit 1\n")).start(source);
        assertThat(engine.awaitEnd(LONG)).isTrue();
        assertThat(new String(engine.lastWords(), StandardCharsets.UTF_8))
                .contains("LANG=C.UTF-8", "oh no")
                .doesNotContain("JAVA", "HOME");
    }

    @Test
    void anEngineLivesWhileItTurnsIntoAnotherProgram() throws IOException {
        Path end = scratch.resolve("end");
        Engine engine =
                new SpawnedEngines(program("#!/bin/sh\n[ -e '" + end + "' ] || exec \"$0\" \"$@\"\n")).start(source);
        for (int look = 0; look < 2000; look++) {
            assertThat(engine.isAlive()).isTrue();
        }
        Files.createFile(end);
        assertThat(engine.awaitEnd(LONG)).isTrue();
    }

    @Test
    void onlyTheEngineItselfIsItsPeer() throws IOException {
        Engine engine = new EngineProcess(42, source.log());
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
