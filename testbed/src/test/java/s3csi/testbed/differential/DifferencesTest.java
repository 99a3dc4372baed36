package s3csi.testbed.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DifferencesTest {
    private static final Differences DOCUMENT = Differences.parse("""
            # Differences

            | What | Why |
            |---|---|
            | `rename: ENOSYS → ok` | Files can be renamed. |
            | `stat: ok → other` | Sizes are known. |
            | `open-append: * → ok` | Files can grow. |

            In a sentence, `remove: EPERM → ok` is no row.
            """);

    @Test
    void allowsWhatHasARow() {
        assertThat(DOCUMENT.allow(divergence("rename", "ok", "ENOSYS"))).isTrue();
        assertThat(DOCUMENT.allow(divergence("open-append", "ok", "EPERM"))).isTrue();
    }

    @Test
    void allowsNothingElse() {
        assertThat(DOCUMENT.allow(divergence("rename", "ENOSYS", "ok"))).isFalse();
        assertThat(DOCUMENT.allow(divergence("remove", "ok", "EPERM"))).isFalse();
        assertThat(DOCUMENT.allow(divergence("open-append", "EIO", "EPERM"))).isFalse();
    }

    @Test
    void aDifferenceInWhatIsSeenIsADifference() {
        var seen = new Divergence(0, "stat", "", new Result("ok", "file 1"), new Result("ok", "file 2"));
        assertThat(seen.key()).isEqualTo("`stat: ok → other`");
        assertThat(DOCUMENT.allow(seen)).isTrue();
        assertThat(Differences.parse("").allow(seen)).isFalse();
    }

    @Test
    void withoutADocumentNothingMayDiffer(@TempDir Path directory) throws IOException {
        assertThat(Differences.in(directory.resolve("missing.md")).allow(divergence("rename", "ok", "ENOSYS")))
                .isFalse();
    }

    private static Divergence divergence(String verb, String ours, String theirs) {
        return new Divergence(0, verb, "", new Result(ours, ""), new Result(theirs, ""));
    }
}
