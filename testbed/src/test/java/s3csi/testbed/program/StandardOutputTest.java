package s3csi.testbed.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.testing.process.Tools;

/** What the programs print is read by scripts: nothing of the JVM may be among it. */
@Tag("s3")
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class StandardOutputTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"mount-s3", "scality-s3-csi-driver", "scality-s3-csi-mounter"})
    void aCacheThatDoesNotFitIsToldOnStandardErrorOnly(String program) throws Exception {
        String cached = version(argumentsOf(program), program);
        Path broken = Files.writeString(directory.resolve("broken.aot"), "no cache of any JVM");
        String arguments = Files.readString(argumentsOf(program))
                .replaceFirst("-XX:AOTCache=\"[^\"]*\"", "-XX:AOTCache=\"" + broken + "\"");
        Path changed = Files.writeString(directory.resolve("changed.args"), arguments);

        assertThat(version(changed, program)).isEqualTo(cached).contains("3.");
        assertThat(directory.resolve("err")).content().contains("[aot]");
    }

    private static Path argumentsOf(String program) {
        return Tools.program(program)
                .resolveSibling("../lib/" + program + ".args")
                .normalize();
    }

    private String version(Path arguments, String program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Tools.ofTheJdk("java").toString(), "@" + arguments, program, "--version")
                .redirectError(directory.resolve("err").toFile())
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return printed;
    }
}
