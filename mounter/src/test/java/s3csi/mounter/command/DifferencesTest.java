package s3csi.mounter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The documented options are those of the program, and what the page says about refusals and defaults is true. */
final class DifferencesTest {
    private static final Path PAGE = Path.of("..", "docs", "differences.md");
    private static final Pattern ROW = Pattern.compile("\\| (?:`-(.)`, )?`--([a-z-]+)` \\|(.*)\\|(.*)\\|(.*)\\|");

    private static final Pattern VARIABLE_ROW = Pattern.compile("^\\| `[A-Z][A-Z0-9_]+`");
    private static final Pattern VARIABLE = Pattern.compile("`([A-Z][A-Z0-9_]+)`");

    private record Row(@Nullable String letter, String option, String here) {}

    private static List<Row> rows() throws Exception {
        return Files.readAllLines(PAGE).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> new Row(row.group(1), row.group(2), row.group(4).strip()))
                .toList();
    }

    @Test
    void everyOptionHasARowAndEveryRowAnOptionInTheOrderOfTheHelp() throws Exception {
        assertThat(rows()).extracting(Row::option).containsExactlyElementsOf(Option.longNames());
    }

    @Test
    void lettersAreThoseOfTheProgram() throws Exception {
        for (Row row : rows()) {
            Option option = Option.named(row.option).orElseThrow();
            assertThat(row.letter).isEqualTo(option.hasLetter() ? String.valueOf(option.letter) : null);
        }
    }

    @Test
    void everyVariableIsReadOrCalledNotRead() throws Exception {
        String sources = sources(Path.of("src", "main", "java")) + sources(Path.of("..", "s3", "src", "main", "java"));
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> VARIABLE_ROW.matcher(line).find())
                .toList();
        assertThat(rows).hasSizeGreaterThan(10);
        for (String row : rows) {
            boolean isRead = !row.split("\\|", -1)[3].strip().equals("not read");
            VARIABLE.matcher(row.split("\\|", -1)[1])
                    .results()
                    .map(match -> match.group(1))
                    .forEach(variable -> assertThat(sources.contains("\"" + variable + "\""))
                            .as(variable)
                            .isEqualTo(isRead));
        }
    }

    private static String sources(Path root) throws Exception {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    @Test
    void exactlyTheRefusedOptionsAreCalledRefused() throws Exception {
        assertThat(rows().stream().filter(row -> row.here.equals("refused")).map(Row::option))
                .containsExactlyInAnyOrderElementsOf(OptionRules.REFUSED.keySet().stream()
                        .map(option -> option.longName)
                        .toList());
    }
}
