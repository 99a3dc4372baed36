package s3csi.testbed.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Small files that other programs or the kernel write. */
public final class Texts {
    private Texts() {}

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
    }

    public static String firstLine(Path file) {
        return read(file).lines().findFirst().orElse("").strip();
    }
}
