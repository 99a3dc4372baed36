package s3csi.testbed.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import s3csi.testbed.contender.Contender;

final class ChoiceTest {
    @Test
    void measuresEverythingFiveTimesByDefault() {
        Choice choice = parse();

        assertThat(choice.rounds()).isEqualTo(5);
        assertThat(names(choice)).contains("read-1", "read-4", "write", "random-4k-late", "list", "read-1-tls");
        assertThat(names(choice)).doesNotHaveDuplicates();
    }

    @Test
    void quickIsReadingAndWriting() {
        assertThat(names(parse("--quick"))).containsExactly("read-1", "write");
    }

    @Test
    void takesSomeJobsAndSomeContenders() {
        Choice choice = parse("--only", "write,list", "--contenders", "ours,s3fs", "--rounds", "7");

        assertThat(names(choice)).containsExactly("write", "list");
        assertThat(choice.measuresStarts()).isFalse();
        assertThat(choice.chosenOf(List.of(Contender.values())))
                .containsExactly(Contender.OURS, Contender.OURS_SMALL, Contender.S3FS);
        assertThat(choice.rounds()).isEqualTo(7);
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatIllegalArgumentException().isThrownBy(() -> parse("--fast")).withMessageContaining("--fast");
        assertThatIllegalArgumentException().isThrownBy(() -> parse("--rounds")).withMessageContaining("needs a value");
        assertThatIllegalArgumentException().isThrownBy(() -> parse("--rounds", "0"));
        assertThatIllegalArgumentException().isThrownBy(() -> parse("--contenders", "goofys"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names(parse("--only", "swim")))
                .withMessageContaining("read-1");
    }

    private static Choice parse(String... arguments) {
        return Choice.parse(arguments);
    }

    private static List<String> names(Choice choice) {
        return choice.jobs().stream().map(Job::name).toList();
    }
}
