package s3csi.testbed.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A text that is kept in the project for people to read a change of it. With {@code S3CSI_WRITE_EXPECTED=1} it is written instead of compared. */
final class Expected {
    private static final Path RENDERS = Path.of("src", "test", "resources", "s3csi", "testbed", "chart");

    private Expected() {}

    static void assertRendered(String name, String text) {
        assertIs(RENDERS.resolve(name), text);
    }

    static void assertIs(Path file, String text) {
        try {
            if (System.getenv().getOrDefault("S3CSI_WRITE_EXPECTED", "").equals("1")) {
                Files.writeString(file, text);
            }
            assertThat(text)
                    .as("%s; if the change is meant, S3CSI_WRITE_EXPECTED=1 writes it", file.getFileName())
                    .isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
