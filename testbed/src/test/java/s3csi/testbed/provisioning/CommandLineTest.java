package s3csi.testbed.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Tools;

/** The driver's command line, as built. */
@Tag("s3")
final class CommandLineTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private record Ending(int code, String printed) {}

    @Test
    void printsItsVersionAsJsonWithoutAnyEnvironment() {
        Ending ending = run(Map.of(), "--version");

        assertThat(ending.code).isZero();
        assertThat(JsonLines.object(ending.printed))
                .containsOnlyKeys("driverVersion", "gitCommit", "buildDate", "javaVersion", "vm", "platform")
                .allSatisfy((key, value) -> assertThat(value).isNotBlank());
    }

    @Test
    void printsItsOptionsAndTheirMeaning() {
        Ending ending = run(Map.of(), "--help");

        assertThat(ending.code).isZero();
        assertThat(ending.printed)
                .contains("--endpoint", "--node-id", "--mp-version", "--http-endpoint", "--v", "--version")
                .contains("AWS_ENDPOINT_URL", "DRIVER_CREDENTIALS_DIR", "AWS_CA_BUNDLE", "CSI_CONTROLLER_ONLY");
    }

    @Test
    void anUnknownFlagIsWrongUsage() {
        Ending ending = run(Map.of(), "--no-such-flag");

        assertThat(ending.code).isEqualTo(2);
        assertThat(ending.printed).contains("--no-such-flag", "--help");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--endpoint=nonsense",
                "--endpoint=tcp://host",
                "--http-endpoint=nonsense",
                "--http-endpoint=:99999",
                "--mounter=nonsense",
                "--max-memory-target=1"
            })
    void aValueThatIsNoneIsWrongUsage(String argument) {
        Ending ending = run(
                controllerWith("CSI_CONTROLLER_ONLY", "false"),
                argument.startsWith("--mounter=")
                        ? new String[] {argument}
                        : new String[] {"--mounter=process", "--target-root=" + directory, argument});

        assertThat(ending.code).as(ending.printed).isEqualTo(2);
        assertThat(ending.printed).contains(argument.substring(0, argument.indexOf('=')), "--help lists the options");
    }

    @Test
    void aSocketNeedsADirectory() {
        Path missing = directory.resolve("missing");
        Ending ending =
                run(controllerWith("CSI_CONTROLLER_ONLY", "true"), "--endpoint=unix://" + missing + "/csi.sock");

        assertThat(ending.code).isEqualTo(1);
        assertThat(ending.printed)
                .contains("cannot listen on " + missing + "/csi.sock: there is no directory " + missing + "; make it");
    }

    @ParameterizedTest
    @CsvSource({
        "CSI_CONTROLLER_ONLY, yes, 'CSI_CONTROLLER_ONLY must be true or false, not'",
        "AWS_CA_BUNDLE, /no/such.pem, 'AWS_CA_BUNDLE /no/such.pem cannot be used: there is no such file;'"
    })
    void aVariableThatCannotBeMeantIsToldWithTheReason(String variable, String value, String words) {
        Ending ending = run(controllerWith(variable, value));

        assertThat(ending.code).isEqualTo(1);
        assertThat(ending.printed).contains(words);
    }

    private static Map<String, String> controllerWith(String variable, String value) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "CSI_CONTROLLER_ONLY",
                "true",
                "CSI_NODE_NAME",
                "controller",
                "AWS_ENDPOINT_URL",
                "http://127.0.0.1:1"));
        environment.put(variable, value);
        return environment;
    }

    @Test
    void withoutAnEndpointOfTheStoreItCannotRun() {
        Ending ending = run(Map.of("CSI_CONTROLLER_ONLY", "true", "CSI_NODE_NAME", "controller"));

        assertThat(ending.code).isEqualTo(1);
        assertThat(ending.printed).contains("AWS_ENDPOINT_URL environment variable must be set");
    }

    @Test
    void withoutANodeIdItCannotRun() {
        Ending ending = run(Map.of("CSI_CONTROLLER_ONLY", "true", "AWS_ENDPOINT_URL", "http://127.0.0.1:1"));

        assertThat(ending.code).isEqualTo(1);
        assertThat(ending.printed).contains("node-id is required");
    }

    @Test
    void anEndpointWithAPasswordIsRefusedWithoutShowingIt() {
        Ending ending = run(Map.of(
                "CSI_CONTROLLER_ONLY", "true",
                "CSI_NODE_NAME", "controller",
                "AWS_ENDPOINT_URL", "http://someone:canary-password@127.0.0.1:1"));

        assertThat(ending.code).isEqualTo(1);
        assertThat(ending.printed).contains("AWS_ENDPOINT_URL").doesNotContain("canary");
    }

    @Test
    void itStartsFromItsAotCache() {
        // In this mode the JVM ends at once when the cache does not fit; in the usual one it would only be slower.
        Ending ending = run(Map.of("JDK_JAVA_OPTIONS", "-XX:AOTMode=on"), "--version");

        assertThat(ending.code).as(ending.printed).isZero();
    }

    @Test
    void theModeThatDemandsACacheFailsWithoutOne() {
        Ending ending = run(
                List.of(
                        Tools.ofTheJdk("java").toString(),
                        "-XX:AOTMode=on",
                        "-XX:AOTCache=" + directory.resolve("no-such-cache"),
                        "-version"),
                Map.of());

        assertThat(ending.code).isEqualTo(1);
        assertThat(ending.printed).contains("AOT cache");
    }

    private Ending run(Map<String, String> environment, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(Tools.program("scality-s3-csi-driver").toString()));
        command.addAll(List.of(arguments));
        return run(command, environment);
    }

    private Ending run(List<String> command, Map<String, String> environment) {
        Path log = directory.resolve("printed");
        try (ChildProcess program = ChildProcess.start(command, environment, log)) {
            assertThat(program.hasEndedWithin(SOON))
                    .as(() -> program.story("is still running"))
                    .isTrue();
            return new Ending(program.exitCode(), Files.readString(log));
        } catch (IOException failure) {
            throw new AssertionError("cannot read what the driver printed", failure);
        }
    }
}
