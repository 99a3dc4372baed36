package s3csi.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CommandFileTest {
    @Test
    void theKernelsFirstArgumentIsTheFileItself() {
        assertThat(CommandFile.arguments(new String[] {"/bin/program", "--v=4"}))
                .containsExactly("--v=4");
        assertThat(CommandFile.arguments(new String[] {"/bin/program"})).isEmpty();
        assertThat(CommandFile.arguments(new String[] {})).isEmpty();
    }

    @Test
    void ourOtherProgramsAreNextToIt() {
        assertThat(CommandFile.directory(new String[] {"/opt/bin/program", "--v=4"}))
                .contains(Path.of("/opt/bin"));
        assertThat(CommandFile.directory(new String[] {"bin/program"}))
                .contains(Path.of("bin").toAbsolutePath());
        assertThat(CommandFile.directory(new String[] {})).isEmpty();
    }
}
