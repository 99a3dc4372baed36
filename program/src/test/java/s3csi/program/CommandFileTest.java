package s3csi.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandFileTest {
    @Test
    void theKernelsFirstArgumentIsTheFileItself() {
        assertThat(CommandFile.arguments(new String[] {"/bin/program", "--v=4"}))
                .containsExactly("--v=4");
        assertThat(CommandFile.arguments(new String[] {"/bin/program"})).isEmpty();
        assertThat(CommandFile.arguments(new String[] {})).isEmpty();
    }
}
