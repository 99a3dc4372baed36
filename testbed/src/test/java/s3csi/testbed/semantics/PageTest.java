package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.testbed.semantics.Page.Block;
import s3csi.testbed.semantics.Page.Step;

final class PageTest {
    @Test
    void blocksAreCommandsWithWhatTheyPrint() {
        Page page = page("""
                # Title
                ## Reading
                Words.
                ```console
                # mount-s3 my-bucket /mnt
                $ cat <<END
                > one
                > END
                one
                $ true
                ```
                """);

        assertThat(page.blocks())
                .containsExactly(new Block(
                        "Reading",
                        4,
                        Set.of(),
                        List.of(
                                new Step(true, "mount-s3 my-bucket /mnt", List.of()),
                                new Step(false, "cat <<END\none\nEND", List.of("one")),
                                new Step(false, "true", List.of()))));
    }

    @Test
    void whatIsDifferentSomewhereIsSaidOfTheNextBlock() {
        Page page = page("""
                Different on Store: it has no such thing.

                ```console
                # mount-s3 my-bucket /mnt
                ```
                ```console
                # mount-s3 my-bucket /mnt
                ```
                """);

        assertThat(page.blocks()).extracting(Block::differentOn).containsExactly(Set.of("Store"), Set.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "```\n$ ls\n```",
                "```sh\nls\n```",
                "```console mount\n# mount-s3 b /mnt\n```",
                " ```console\n# mount-s3 b /mnt\n ```",
                "~~~\n$ ls\n~~~",
                "    $ ls",
                "\t$ ls",
                "<pre>ls</pre>",
            })
    void anExampleThatWouldNotBeExecutedIsRefused(String text) {
        assertThatThrownBy(() -> page(text))
                .hasMessageContaining("line 1")
                .hasMessageContaining("may be no other example");
    }

    @Test
    void aBlockMustBeginWithAMountAndEnd() {
        assertThatThrownBy(() -> page("```console\n$ ls\n```")).hasMessageContaining("command of root");
        assertThatThrownBy(() -> page("```console\n```")).hasMessageContaining("command of root");
        assertThatThrownBy(() -> page("```console\noutput\n```")).hasMessageContaining("begin with a command");
        assertThatThrownBy(() -> page("```console\n# mount-s3 b /mnt\n$ ls")).hasMessageContaining("has no end");
    }

    private static Page page(String text) {
        return Page.of(text.lines().toList());
    }
}
