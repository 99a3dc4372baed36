package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.semantics.Page.Block;
import s3csi.testbed.semantics.Page.Step;

/** The page that tells users what the file system does is a script, and this runs it. Where a store differs, the page says so. */
@Tag("semantics")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SemanticsPageContract {
    private static final Path PAGE = Path.of("..", "docs", "semantics.md");
    private static final Duration DEADLINE = Duration.ofMinutes(3);

    /** The one place from which programs get error numbers. */
    private static final Path ERROR_NUMBERS =
            Path.of("..", "filesystem", "src", "main", "java", "s3csi", "filesystem", "ErrorNumbers.java");

    private static final Pattern ERROR_NUMBER = Pattern.compile("Errno\\.(E[A-Z0-9]+)");
    private static final Pattern ERROR_ROW = Pattern.compile("\\| (E[A-Z0-9]+) \\| ([^|]+) \\|.*");

    /** Ends what a command printed; nothing on the page prints it. */
    private static final String MARK = "\u001e";

    private final String store;
    private S3Server server;

    /** On the store that the page calls by this name. */
    SemanticsPageContract(String store) {
        this.store = store;
    }

    abstract S3Server startServer();

    @BeforeAll
    void start() {
        server = startServer();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> everyBlockDoesWhatThePageSays() throws IOException {
        List<Block> blocks = Page.of(Files.readAllLines(PAGE)).blocks();
        return blocks.stream().map(block -> DynamicTest.dynamicTest(block.name(), () -> run(block)));
    }

    @Test
    void everyErrorNumberOfTheFileSystemHasARowWithTheWordsOfTheSystem() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ERROR_ROW.matcher(line);
            if (row.matches()) {
                rows.put(row.group(1), row.group(2));
            }
        }
        assertThat(rows.keySet()).containsAll(errorNumbersOfTheFileSystem());
        try (var sandbox = new Sandbox(server)) {
            String script = "python3 -c 'import errno, os, sys\n"
                    + "for name in sys.argv[1:]: print(os.strerror(getattr(errno, name)))' "
                    + String.join(" ", rows.keySet());
            assertThat(sandbox.run(script, DEADLINE).output().lines()).containsExactlyElementsOf(rows.values());
        }
    }

    private static Set<String> errorNumbersOfTheFileSystem() throws IOException {
        Set<String> found = ERROR_NUMBER
                .matcher(Files.readString(ERROR_NUMBERS))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        assertThat(found).contains("EPERM", "ESTALE");
        return found;
    }

    private void run(Block block) {
        try (var sandbox = new Sandbox(server)) {
            String output = sandbox.run(script(block), DEADLINE).output();
            List<String> printed = new ArrayList<>(List.of(output.split(MARK, -1)));
            String last = printed.removeLast();
            if (block.differentOn().contains(store)) {
                assertThat(transcript(block, printed))
                        .as("the page says that this is different on " + store)
                        .isNotEqualTo(transcript(block));
            } else {
                assertThat(last).as("what unmounting printed").isEmpty();
                assertThat(transcript(block, printed)).isEqualTo(transcript(block));
            }
        }
    }

    /** All commands run in one shell, which prints the exit status of each between two marks. */
    private static String script(Block block) {
        StringBuilder script = new StringBuilder("exec 2>&1 </dev/null\n");
        for (Step step : block.steps()) {
            script.append(step.isRoots() ? rootsCommand(step.command()) : step.command() + "\n")
                    .append("printf '%s%%d%s' $?\n".formatted(MARK, MARK));
        }
        return script.append("cd / && umount /mnt\n").toString();
    }

    /** What root does is done outside of the mount, and told only when it fails. */
    private static String rootsCommand(String command) {
        return "cd / && (%s\n) >$HOME/.root 2>&1 && cd /mnt || { cat $HOME/.root; false; }\n".formatted(command);
    }

    private static String transcript(Block block) {
        return block.steps().stream().map(step -> shown(step, step.expected())).collect(Collectors.joining());
    }

    /** As on the page, with what really was printed where that does not fit. A shell that ended early has not run the rest. */
    private static String transcript(Block block, List<String> printed) {
        StringBuilder transcript = new StringBuilder();
        for (int i = 0; i < Math.min(printed.size() / 2, block.steps().size()); i++) {
            Step step = block.steps().get(i);
            List<String> lines = lines(printed.get(2 * i), printed.get(2 * i + 1));
            transcript.append(shown(step, new Expected(step.expected()).fits(lines) ? step.expected() : lines));
        }
        return transcript.toString();
    }

    /** Success needs no words, and a shell at a prompt does not count lines. */
    private static List<String> lines(String printed, String status) {
        return Stream.concat(printed.lines(), status.equals("0") ? Stream.of() : Stream.of("(exit " + status + ")"))
                .map(line -> line.replaceFirst("^bash: line \\d+: ", "bash: "))
                .toList();
    }

    private static String shown(Step step, List<String> lines) {
        String prompt = (step.isRoots() ? "# " : "$ ") + step.command().replace("\n", "\n> ");
        return prompt + "\n" + lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }
}
