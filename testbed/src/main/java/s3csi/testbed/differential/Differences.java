package s3csi.testbed.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The differences that are meant: rows of a document whose first column is, in backquotes, an action with what it comes to on
 * Mountpoint and on ours, as {@code `rename: ENOSYS → ok`}. A star stands for anything.
 */
final class Differences {
    private static final Pattern ROW = Pattern.compile("^\\| *`([a-z-]+|\\*): (\\S+) → (\\S+)` *\\|.*");

    private record Known(String verb, String theirs, String ours) {
        boolean covers(String otherVerb, String otherTheirs, String otherOurs) {
            return fits(verb, otherVerb) && fits(theirs, otherTheirs) && fits(ours, otherOurs);
        }

        private static boolean fits(String pattern, String text) {
            return pattern.equals("*") || pattern.equals(text);
        }
    }

    private final Set<Known> known;

    private Differences(Set<Known> known) {
        this.known = known;
    }

    /** A document that is not there allows no difference. */
    static Differences in(Path document) throws IOException {
        try {
            return parse(Files.readString(document));
        } catch (NoSuchFileException none) {
            return parse("");
        }
    }

    static Differences parse(String text) {
        Set<Known> known = new HashSet<>();
        text.lines()
                .map(ROW::matcher)
                .filter(row -> row.matches())
                .forEach(row -> known.add(new Known(row.group(1), row.group(2), row.group(3))));
        return new Differences(known);
    }

    boolean allow(Divergence divergence) {
        return known.stream()
                .anyMatch(
                        row -> row.covers(divergence.verb(), divergence.theirs().kind(), divergence.oursInShort()));
    }
}
