package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that says which test shows what names tests that are there. */
class BrokenOnPurposeTest {
    private static final Path PAGE = Path.of("..", "docs", "testing.md");
    private static final Pattern NAME = Pattern.compile("`(\\w+Test)?(?:\\.(\\w+))?`");

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        String page = Files.readString(PAGE);
        String tables = page.substring(page.indexOf("## Where to find what"));
        List<MatchResult> names = NAME.matcher(tables).results().toList();

        String source = "";
        for (MatchResult name : names) {
            // A name without its class is of the class before.
            source = name.group(1) == null ? source : sourceOf(name.group(1));
            String method = name.group(2);
            assertThat(method == null || source.contains(" void " + method + "("))
                    .as("%s is there", name.group())
                    .isTrue();
        }

        assertThat(names).hasSizeGreaterThan(40);
    }

    /** Of all tests of that name, should modules have the same. */
    private static String sourceOf(String test) throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path tests : modules.map(each -> each.resolve("src/test/java")).toList()) {
                if (Files.isDirectory(tests)) {
                    addAll(tests, test + ".java", sources);
                }
            }
        }
        assertThat(sources).as("source of %s", test).isNotEmpty();
        return sources.toString();
    }

    private static void addAll(Path root, String name, StringBuilder sources) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(each -> each.endsWith(name)).toList()) {
                sources.append(Files.readString(file));
            }
        }
    }
}
