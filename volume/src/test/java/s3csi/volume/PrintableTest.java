package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void wordsOfAnotherProgramBecomeOneHarmlessLine() {
        assertThat(Printable.oneLine("Error: no\n\n\tsuch\u001b[31m bucket.\n", 100))
                .isEqualTo("Error: no such [31m bucket");
    }

    @Test
    void andABoundedOne() {
        assertThat(Printable.oneLine("x".repeat(50), 10)).isEqualTo("xxxxxxxxxx…");
        assertThat(Printable.oneLine("\n\u0000", 10)).isEmpty();
    }
}
