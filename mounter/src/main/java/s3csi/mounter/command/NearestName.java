package s3csi.mounter.command;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The name that somebody who mistyped probably meant. */
final class NearestName {
    private NearestName() {}

    /** A name that begins like the word, or that few changes of letters lead to. */
    static Optional<String> to(String word, List<String> names) {
        if (word.length() < 3) {
            return Optional.empty();
        }
        Optional<String> begun =
                names.stream().filter(name -> name.startsWith(word)).min(Comparator.comparingInt(String::length));
        if (begun.isPresent()) {
            return begun;
        }
        return names.stream()
                .filter(name -> distance(word, name) <= Math.max(word.length(), name.length()) / 3)
                .min(Comparator.comparingInt(name -> distance(word, name)));
    }

    /** How many letters must be put in, taken out or replaced. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
