package s3csi.testbed.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On plain directories, where everybody knows what must happen. */
final class SideTest {
    @Test
    void aSequenceIsTheSameForItsSeedAndComesToTheSameInTwoPlaces(@TempDir Path here, @TempDir Path there)
            throws IOException {
        Side left = new Side(filled(here));
        Side right = new Side(filled(there));
        for (long seed = 0; seed < 20; seed++) {
            List<Action> actions = Script.of(seed, 60);
            assertThat(Script.of(seed, 60)).isEqualTo(actions);
            for (Action action : actions) {
                assertThat(left.perform(action)).as("seed %d, %s", seed, action).isEqualTo(right.perform(action));
            }
            assertThat(left.closeAll()).isEqualTo(right.closeAll());
        }
    }

    @Test
    void tellsErrorsByTheirNames(@TempDir Path here) throws IOException {
        Side side = new Side(filled(here));

        assertThat(side.perform(new Action.Open(0, "nothing", OpenKind.READ)).kind())
                .isEqualTo("ENOENT");
        assertThat(side.perform(new Action.Open(0, "b", OpenKind.CREATE_NEW)).kind())
                .isEqualTo("EEXIST");
        assertThat(side.perform(new Action.Remove("d")).kind()).isEqualTo("ENOTEMPTY");
        assertThat(side.perform(new Action.List("b")).kind()).isEqualTo("ENOTDIR");
        assertThat(side.perform(new Action.Open(0, "d", OpenKind.WRITE)).kind()).isEqualTo("EISDIR");
        assertThat(side.perform(new Action.Rename("d", "d/x")).kind()).isEqualTo("EINVAL");
        assertThat(side.perform(new Action.Close(2)).kind()).isEqualTo("not-open");
    }

    @Test
    void seesWhatWasWritten(@TempDir Path here) throws IOException {
        Side side = new Side(filled(here));
        side.perform(new Action.Open(0, "a", OpenKind.CREATE));
        side.perform(new Action.Write(0, 10, 1));
        side.perform(new Action.Close(0));
        assertThat(side.perform(new Action.Look("a")).detail())
                .startsWith("file ")
                .endsWith(" 10");

        side.perform(new Action.Open(0, "a", OpenKind.READ));
        Result first = side.perform(new Action.Read(0, 0, 20));
        assertThat(first.detail()).startsWith("10 bytes");
        assertThat(side.perform(new Action.Write(0, 10, 1)).kind()).isEqualTo("EBADF");
        side.perform(new Action.Close(0));

        side.perform(new Action.Open(0, "a", OpenKind.CREATE));
        side.perform(new Action.Write(0, 10, 2));
        side.perform(new Action.Close(0));
        side.perform(new Action.Open(0, "a", OpenKind.READ));
        assertThat(side.perform(new Action.Read(0, 0, 20))).isNotEqualTo(first);
        assertThat(side.closeAll()).hasSize(1);
    }

    private static Path filled(Path directory) throws IOException {
        for (String key : Script.initialKeys()) {
            Path file = directory.resolve(key);
            Files.createDirectories(file.getParent());
            Files.writeString(file, key);
        }
        return directory;
    }
}
