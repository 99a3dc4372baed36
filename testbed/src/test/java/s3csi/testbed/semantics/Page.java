package s3csi.testbed.semantics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The blocks of a page that is executed. Every fenced block is a session with a mounted bucket: lines after {@code #} are commands
 * of root outside of the mount, lines after {@code $} are commands inside of it, each followed by what it prints. A line after
 * {@code >} goes on with the command above it.
 *
 * <p>A line "Different on STORE: ..." says that the next block comes to something else there.
 *
 * <p>Whatever looks like an example and is no such block is refused, so nothing on the page escapes execution.
 */
record Page(List<Block> blocks) {
    private static final String FENCE = "```";
    private static final Pattern DIFFERENT = Pattern.compile("Different on ([^:,]+): .+");
    private static final Pattern OTHER_EXAMPLE =
            Pattern.compile("\\s*~~~.*|\\s*<(pre|code).*|\\s+```.*| {4,}\\S.*|\t.*");

    /**
     * A session.
     *
     * @param heading the section it is in
     * @param line where it begins, counted from 1
     * @param differentOn the stores on which it comes to something else
     */
    record Block(String heading, int line, Set<String> differentOn, List<Step> steps) {
        String name() {
            return "%s, line %d".formatted(heading, line);
        }
    }

    /**
     * A command and what it prints.
     *
     * @param isRoots whether it is run outside of the mount
     */
    record Step(boolean isRoots, String command, List<String> expected) {}

    static Page of(List<String> lines) {
        return new Reader(lines).read();
    }

    private static final class Reader {
        private final List<String> lines;
        private final List<Block> blocks = new ArrayList<>();
        private final Set<String> differentOn = new HashSet<>();
        private String heading = "";
        private int at;

        Reader(List<String> lines) {
            this.lines = lines;
        }

        Page read() {
            for (at = 0; at < lines.size(); at++) {
                String line = lines.get(at);
                Matcher different = DIFFERENT.matcher(line);
                if (different.matches()) {
                    differentOn.add(different.group(1));
                } else if (line.startsWith("#")) {
                    heading = line.replaceFirst("^#+ *", "");
                } else if (line.equals(FENCE + "console")) {
                    blocks.add(block());
                } else if (line.startsWith(FENCE) || OTHER_EXAMPLE.matcher(line).matches()) {
                    throw refused(
                            "only blocks that begin with ```console are executed, so there may be no other example");
                }
            }
            return new Page(List.copyOf(blocks));
        }

        private Block block() {
            int first = at + 1;
            List<Step> steps = new ArrayList<>();
            for (at++; at < lines.size(); at++) {
                String line = lines.get(at);
                if (line.equals(FENCE)) {
                    if (steps.isEmpty() || !steps.getFirst().isRoots()) {
                        throw refused("the block does not begin with a command of root that mounts the bucket");
                    }
                    Block block = new Block(heading, first, Set.copyOf(differentOn), List.copyOf(steps));
                    differentOn.clear();
                    return block;
                }
                take(line, steps);
            }
            throw refused("the block that begins in line " + first + " has no end");
        }

        private void take(String line, List<Step> steps) {
            if (line.startsWith("$ ") || line.startsWith("# ")) {
                steps.add(new Step(line.startsWith("#"), line.substring(2), List.of()));
                return;
            }
            if (steps.isEmpty()) {
                throw refused("the block does not begin with a command");
            }
            Step step = steps.removeLast();
            if (line.startsWith("> ") && step.expected().isEmpty()) {
                steps.add(new Step(step.isRoots(), step.command() + "\n" + line.substring(2), List.of()));
            } else {
                List<String> expected = new ArrayList<>(step.expected());
                expected.add(line);
                steps.add(new Step(step.isRoots(), step.command(), List.copyOf(expected)));
            }
        }

        private IllegalArgumentException refused(String why) {
            return new IllegalArgumentException("line %d: %s".formatted(Math.min(at + 1, lines.size()), why));
        }
    }
}
