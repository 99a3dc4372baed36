package s3csi.volume.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.VolumeFailure;

class MountOptionsTest {
    private static List<String> arguments(String... options) {
        return MountOptions.parse(List.of(options)).arguments();
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            delimiter = '|',
            value = {
                "region us-west-2|--region=us-west-2",
                "--region us-west-2|--region=us-west-2",
                "--region=us-west-2|--region=us-west-2",
                "region=us-west-2|--region=us-west-2",
                "--uid    1000|--uid=1000",
                "  --uid=1000  |--uid=1000",
                "-l logs/|-l=logs/",
                "-d|-d",
                "sse=aws:kms|--sse=aws:kms",
                "prefix=kwk3/sub vault/|--prefix=kwk3/sub vault/",
                "prefix env=prod/a b/|--prefix=env=prod/a b/",
                "prefix=env=prod/|--prefix=env=prod/",
                "prefix a --b/|--prefix=a --b/",
                "allow-delete|--allow-delete",
                "--allow-delete|--allow-delete",
                "allow-delete=|--allow-delete",
                "prefix=日本/|--prefix=日本/"
            })
    void anOptionIsReadAsPeopleWriteIt(String written, String read) {
        assertThat(arguments(written)).containsExactly(read);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--foreground", "foreground", "-f", "--help", "-h", "--version", "-v", "-V"})
    void whatOnlyMakesSenseInATerminalIsDropped(String option) {
        assertThat(arguments(option, "allow-delete")).containsExactly("--allow-delete");
    }

    @Test
    void argumentsAreSortedAndEqualOnesAreOne() {
        MountOptions options = MountOptions.parse(List.of("uid=1", "--allow-delete", "-d", "uid 1", "allow-delete"));
        assertThat(options.arguments()).containsExactly("--allow-delete", "--uid=1", "-d");
        assertThat(options.warnings()).isEmpty();
        assertThat(MountOptions.parse(options.arguments()).arguments()).isEqualTo(options.arguments());
    }

    @Test
    void theLastValueWinsAndThatIsSaid() {
        MountOptions options = MountOptions.parse(List.of("uid=1", "uid=2"));
        assertThat(options.arguments()).containsExactly("--uid=2");
        assertThat(options.warnings()).singleElement().asString().contains("--uid", "given twice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "=x",
                "--",
                "-",
                "---x",
                "allow-delete,uid=0",
                "allow-delete --uid=0",
                "region us-east-1 --endpoint-url http://x",
                "a;b",
                "../x",
                "-xyz",
                "endpoint_url=http://x",
                "prefix a\nb",
                "prefix a\u0000b",
                "prefix \u202egpj/"
            })
    void injectionAndNonsenseAreRefused(String option) {
        assertThatThrownBy(() -> arguments(option))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("mount option")
                .hasMessageNotContaining("\n");
    }

    @Test
    void endlessOptionsAreRefused() {
        assertThatThrownBy(() -> arguments("prefix " + "x".repeat(64 << 10)))
                .isInstanceOf(VolumeFailure.class)
                .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(500));
        List<String> many = Collections.nCopies(257, "allow-delete");
        assertThatThrownBy(() -> MountOptions.parse(many)).isInstanceOf(VolumeFailure.class);
    }

    @Test
    void optionsCanBeLookedUp() {
        MountOptions options = MountOptions.parse(List.of("uid 7", "read-only"));
        assertThat(options.has("--read-only")).isTrue();
        assertThat(options.value("--uid")).contains("7");
        assertThat(options.value("--read-only")).isEmpty();
        assertThat(options.has("--gid")).isFalse();
        assertThat(MountOptions.parse(List.of()).arguments()).isEmpty();
    }
}
