package s3csi.filesystem.directory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.inode.Names;

/**
 * Guesses where to cut the rest of a listing into pieces that can be asked for at the same time, from the names of one page: they
 * differ from some character on, and what follows will most likely differ there too, or in a digit before it. Digits further in
 * front are leading zeros for the most part, so one guess for each of them is enough: the range it makes is cut again if there is
 * something in it. A wrong guess costs a request without names, never a name.
 */
final class KeyGuess {
    private static final int MOST_CUTS = 40;
    private static final String DIGITS = "0123456789";

    private KeyGuess() {}

    /** Keys in ascending order, all greater than the last of the page and less than the bound, if there is one. */
    static List<String> cuts(List<ListedName.Remote> page, @Nullable String through) {
        String first = page.getFirst().name();
        String last = page.getLast().name();
        int same = commonLength(first, last);
        String alphabet = alphabet(page, same);
        List<String> cuts = new ArrayList<>();
        for (int at = same; at >= 0; at--) {
            if (at >= last.length()) {
                continue;
            }
            String candidates = at == same ? alphabet : isDigit(last.charAt(at)) ? DIGITS : "";
            int left = at >= same - 1 ? MOST_CUTS : 1;
            for (int i = 0; i < candidates.length() && left > 0; i++) {
                if (candidates.charAt(i) > last.charAt(at)) {
                    String cut = last.substring(0, at) + candidates.charAt(i);
                    boolean isWithin = through == null || Names.compare(cut, through) < 0;
                    if (!isWithin || cuts.size() == MOST_CUTS) {
                        return cuts;
                    }
                    cuts.add(cut);
                    left--;
                }
            }
        }
        return cuts;
    }

    private static int commonLength(String a, String b) {
        int length = Math.min(a.length(), b.length());
        int same = 0;
        while (same < length && a.charAt(same) == b.charAt(same)) {
            same++;
        }
        return same;
    }

    /** The kinds of characters that the names of the page have from that place on, up to a dot or the like. */
    private static String alphabet(List<ListedName.Remote> page, int from) {
        boolean hasDigits = false;
        char greatestUpper = 0;
        char greatestLower = 0;
        for (ListedName.Remote each : page) {
            String name = each.name();
            for (int i = from; i < name.length() && isAlphanumeric(name.charAt(i)); i++) {
                char c = name.charAt(i);
                if (isDigit(c)) {
                    hasDigits = true;
                } else if (c <= 'Z') {
                    greatestUpper = (char) Math.max(greatestUpper, c);
                } else {
                    greatestLower = (char) Math.max(greatestLower, c);
                }
            }
        }
        return (hasDigits ? DIGITS : "")
                + letters(greatestUpper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
                + letters(greatestLower, "abcdefghijklmnopqrstuvwxyz");
    }

    /** Letters that go no further than F are most likely hexadecimal digits. */
    private static String letters(char greatest, String all) {
        if (greatest == 0) {
            return "";
        }
        return greatest - all.charAt(0) < 6 ? all.substring(0, 6) : all;
    }

    private static boolean isAlphanumeric(char c) {
        return isDigit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
