package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ExpectedTest {
    @Test
    void linesAreComparedExactly() {
        assertThat(fits(List.of("a.c"), List.of("a.c"))).isTrue();
        assertThat(fits(List.of("a.c"), List.of("abc"))).isFalse();
        assertThat(fits(List.of("a"), List.of("a "))).isFalse();
        assertThat(fits(List.of("a"), List.of("a", "b"))).isFalse();
        assertThat(fits(List.of("a"), List.of())).isFalse();
        assertThat(fits(List.of(), List.of())).isTrue();
    }

    @Test
    void threeDotsStandForSomethingWithinALine() {
        assertThat(fits(List.of("in ... s"), List.of("in 0.3 s"))).isTrue();
        assertThat(fits(List.of("..."), List.of("a"))).isTrue();
        assertThat(fits(List.of("..."), List.of(""))).isFalse();
        assertThat(fits(List.of("..."), List.of("a", "b"))).isFalse();
        assertThat(fits(List.of("a ..."), List.of("b c"))).isFalse();
    }

    private static boolean fits(List<String> expected, List<String> printed) {
        return new Expected(expected).fits(printed);
    }
}
