package s3csi.mounter.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.mounter.command.UsageError;
import s3csi.program.Release;

final class MounterCommandTest {
    private static MounterCommand parse(String... arguments) throws UsageError {
        return MounterCommand.parse(List.of(arguments));
    }

    @Test
    void withoutFlagsItIsTheContainersCommand() throws Exception {
        assertThat(parse()).isEqualTo(new MounterCommand.Run(Path.of("/comm"), Duration.ofMinutes(2)));
    }

    @Test
    void flagsHaveTheFormsOfGo() throws Exception {
        MounterCommand wanted = new MounterCommand.Run(Path.of("/here"), Duration.ofSeconds(90));
        assertThat(parse("--comm-dir=/here", "--mount-sock-recv-timeout=1m30s")).isEqualTo(wanted);
        assertThat(parse("-comm-dir", "/here", "-mount-sock-recv-timeout", "1.5m"))
                .isEqualTo(wanted);
    }

    @Test
    void theDirectoryOfTheOldEngineChangesNothing() throws Exception {
        assertThat(parse("--mountpoint-bin-dir=/mountpoint-s3/bin")).isEqualTo(parse());
    }

    @ParameterizedTest
    @CsvSource({"2m,120000", "500ms,500", "1h2m3s,3723000", "0.25s,250"})
    void timesAreGosTimes(String text, long milliseconds) throws Exception {
        assertThat(parse("--mount-sock-recv-timeout=" + text))
                .isEqualTo(new MounterCommand.Run(Path.of("/comm"), Duration.ofMillis(milliseconds)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "m", "2m ", "-2m", "0s", "two", "2m3", "1d"})
    void whatIsNoTimeIsRefused(String text) {
        assertThatExceptionOfType(UsageError.class)
                .isThrownBy(() -> parse("--mount-sock-recv-timeout=" + text))
                .withMessageContaining("--mount-sock-recv-timeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"comm", "--unknown", "--comm-dir", "--comm-dir=", "--"})
    void whatIsNoFlagIsRefused(String argument) {
        assertThatExceptionOfType(UsageError.class).isThrownBy(() -> parse(argument));
    }

    @Test
    void helpAndVersionArePrinted() throws Exception {
        assertThat(parse("--version"))
                .isEqualTo(new MounterCommand.Print(Release.current().toJson() + "\n"));
        assertThat(parse("--help"))
                .isInstanceOfSatisfying(
                        MounterCommand.Print.class,
                        help -> assertThat(help.text())
                                .contains(
                                        "--comm-dir",
                                        "--mount-sock-recv-timeout",
                                        "--mountpoint-bin-dir",
                                        "without effect"));
    }
}
