package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Path SHELL = Path.of("/bin/sh");

    @TempDir
    Path directory;

    /** Runs a shell script and returns what it printed. */
    private String output(String script, Map<String, String> environment, Map<Integer, Descriptor> descriptors)
            throws Exception {
        Path file = directory.resolve("output");
        Files.deleteIfExists(file);
        try (Descriptor out = PlainFiles.open(
                file, FileFlags.O_WRONLY | FileFlags.O_CREAT | FileFlags.O_TRUNC | FileFlags.O_CLOEXEC)) {
            Map<Integer, Descriptor> all = new TreeMap<>(descriptors);
            all.put(1, out);
            all.put(2, out);
            ChildProcess child = new Spawn(SHELL, List.of("sh", "-c", script, "name"), environment, all, false).start();
            assertThat(child.awaitEnd(LONG)).contains(new ExitStatus.Exited(0));
            assertThat(child.isAlive()).isFalse();
        }
        return Files.readString(file);
    }

    /** Of the five sets: inheritable, permitted, effective, bounding, ambient. */
    @Test
    void aProgramWithoutCapabilitiesCannotGetThemBack() throws Exception {
        Path file = directory.resolve("sets");
        try (Descriptor out = PlainFiles.open(file, FileFlags.O_WRONLY | FileFlags.O_CREAT | FileFlags.O_CLOEXEC)) {
            ChildProcess child = new Spawn(
                            SHELL,
                            // A second program, because it is exec that gives root its capabilities.
                            List.of("sh", "-c", "exec /bin/sh -c 'grep -E \"Cap|NoNew\" /proc/$$/status'"),
                            Map.of("PATH", "/usr/bin:/bin"),
                            Map.of(1, out),
                            false)
                    .startWithoutCapabilities();
            assertThat(child.awaitEnd(LONG)).contains(new ExitStatus.Exited(0));
        }
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "CapInh:\t0000000000000000",
                        "CapPrm:\t0000000000000000",
                        "CapEff:\t0000000000000000",
                        "CapBnd:\t0000000000000000",
                        "CapAmb:\t0000000000000000",
                        "NoNewPrivs:\t1");
        assertThat(output("grep CapEff /proc/self/status", Map.of("PATH", "/usr/bin:/bin"), Map.of()))
                .as("this process keeps what it had")
                .isEqualTo(ownCapabilities());
    }

    private static String ownCapabilities() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("CapEff"))
                        .findFirst()
                        .orElseThrow()
                + "\n";
    }

    @Test
    void aProgramThatIsNotThereIsReportedWithoutCapabilitiesToo() {
        Spawn spawn = new Spawn(directory.resolve("absent"), List.of("absent"), Map.of(), Map.of(), false);
        assertThatThrownBy(spawn::startWithoutCapabilities)
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
    }

    @Test
    void givesExactlyTheEnvironment() throws Exception {
        assertThat(output("exec /usr/bin/env", Map.of("A", "1", "B", "x y"), Map.of())
                        .lines()
                        .filter(SpawnTest::isOurs))
                .containsExactlyInAnyOrder("A=1", "B=x y");
    }

    // The shell itself adds these.
    private static boolean isOurs(String line) {
        return !line.startsWith("PWD=")
                && !line.startsWith("_=")
                && !line.startsWith("SHLVL=")
                && !line.startsWith("OLDPWD=");
    }

    @Test
    void givesExactlyTheDescriptorsUnderTheNumbersAsked() throws Exception {
        Path file = Files.writeString(directory.resolve("given"), "given");
        try (Descriptor given = PlainFiles.open(file, FileFlags.O_RDONLY);
                Descriptor inheritable = PlainFiles.open(file, FileFlags.O_RDONLY)) {
            assertThat(inheritable.isCloseOnExec()).isFalse();
            // Asks for each number by itself: listing the directory would open one more.
            String listing = output(
                    "cat <&5; n=0; while [ $n -lt 300 ]; do [ -e /proc/$$/fd/$n ] && echo \" $n\"; n=$((n + 1)); done;"
                            + " true",
                    Map.of(),
                    Map.of(5, given));
            assertThat(listing.lines().map(String::strip)).containsExactly("given 0", "1", "2", "5");
        }
    }

    @Test
    void numbersMayBeSwapped() throws Exception {
        Path a = Files.writeString(directory.resolve("a"), "A");
        Path b = Files.writeString(directory.resolve("b"), "B");
        try (Descriptor first = PlainFiles.open(a, FileFlags.O_RDONLY | FileFlags.O_CLOEXEC);
                Descriptor second = PlainFiles.open(b, FileFlags.O_RDONLY | FileFlags.O_CLOEXEC)) {
            // Each gets the number that the other one has here.
            Map<Integer, Descriptor> swapped = Map.of(first.number(), second, second.number(), first);
            String links = output(
                    "readlink /proc/$$/fd/" + first.number() + " /proc/$$/fd/" + second.number(), Map.of(), swapped);
            assertThat(links.lines())
                    .containsExactly(b.toRealPath().toString(), a.toRealPath().toString());
        }
    }

    @Test
    void blocksAndIgnoresNoSignal() throws Exception {
        String status = output("while read -r l; do echo \"$l\"; done < /proc/$$/status", Map.of(), Map.of());
        assertThat(status).contains("SigBlk:\t0000000000000000");
        // glibc ignores its own two signals, 32 and 33, in a spawned child until it sets up threads.
        assertThat(status).containsPattern("SigIgn:\t(0000000000000000|0000000180000000)");
    }

    @Test
    void tellsHowTheChildEnded() throws Exception {
        assertThat(script("exit 7").awaitEnd(LONG)).contains(new ExitStatus.Exited(7));
        ChildProcess sleeping = script("while :; do read x < /dev/zero; done");
        assertThat(sleeping.isAlive()).isTrue();
        assertThat(sleeping.awaitEnd(Duration.ZERO)).isEmpty();
        sleeping.signal(Processes.SIGKILL);
        assertThat(sleeping.awaitEnd(LONG)).contains(new ExitStatus.Signalled(Processes.SIGKILL));
        sleeping.signal(Processes.SIGKILL);
    }

    private static ChildProcess script(String text) throws LinuxException {
        return new Spawn(SHELL, List.of("sh", "-c", text), Map.of(), Map.of(), true).start();
    }

    @Test
    void aProgramThatIsNotThereIsAnErrorAtOnce() {
        Spawn spawn = new Spawn(directory.resolve("absent"), List.of("absent"), Map.of(), Map.of(), false);
        assertThatThrownBy(spawn::start)
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
                .hasMessageContaining("absent");
    }

    @Test
    void killRefusesGroups() {
        assertThatThrownBy(() -> Processes.kill(-1, Processes.SIGTERM)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Processes.kill(0, Processes.SIGTERM)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keepsNothingOfWhatItGives() throws Exception {
        output("true", Map.of(), Map.of());
        long before = openDescriptors();
        for (int i = 0; i < 20; i++) {
            output("true", Map.of(), Map.of());
        }
        // Others may open some meanwhile, but not as many as twenty children were given.
        assertThat(openDescriptors()).isLessThan(before + 20);
    }

    private static long openDescriptors() throws Exception {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
