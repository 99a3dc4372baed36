package s3csi.testbed.accepted;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/** One line each: the name of a test, a bar, the reason. Lines that begin with # are for readers. */
public final class AcceptedList {
    private AcceptedList() {}

    /** The names in a list that lies beside a test. */
    public static List<String> names(Class<?> test, String file) throws IOException {
        try (InputStream list = Objects.requireNonNull(test.getResourceAsStream(file), file)) {
            return new String(list.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.substring(0, line.indexOf(" | ")).strip())
                    .toList();
        }
    }
}
