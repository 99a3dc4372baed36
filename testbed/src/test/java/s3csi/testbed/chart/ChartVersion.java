package s3csi.testbed.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The release of the product, as its one place says. */
final class ChartVersion {
    private static final Pattern REVISION = Pattern.compile("<revision>(.*)</revision>");

    private ChartVersion() {}

    static String current() {
        try {
            Matcher revision = REVISION.matcher(Files.readString(Path.of("..", "pom.xml")));
            if (!revision.find()) {
                throw new IllegalStateException("the root pom has no revision");
            }
            return revision.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the root pom", e);
        }
    }
}
