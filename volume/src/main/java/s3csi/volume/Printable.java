package s3csi.volume;

/** Text from outside, made safe to stand in a message: one line, bounded, no control characters. */
public final class Printable {
    private static final int LONGEST = 80;

    private Printable() {}

    /** The text in double quotes; what a terminal or a log reader might interpret becomes {@code \\u....}. */
    public static String quoted(String text) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), LONGEST) + 2).append('"');
        text.codePoints().limit(LONGEST).forEach(c -> append(out, c));
        if (text.length() > LONGEST && text.codePointCount(0, Math.min(text.length(), 2 * LONGEST + 1)) > LONGEST) {
            out.append("…");
        }
        return out.append('"').toString();
    }

    /** Words of another program as one bounded line without a full stop at its end; what cannot be shown becomes a space. */
    public static String oneLine(String text, int longest) {
        StringBuilder out = new StringBuilder();
        text.codePoints().limit(4L * longest).forEach(c -> {
            boolean space = c == ' ' || isHidden(c);
            if (!space) {
                out.appendCodePoint(c);
            } else if (!out.isEmpty() && out.charAt(out.length() - 1) != ' ') {
                out.append(' ');
            }
        });
        boolean cut = out.length() > longest;
        out.setLength(Math.min(out.length(), longest));
        while (!out.isEmpty() && " .:".indexOf(out.charAt(out.length() - 1)) >= 0) {
            out.setLength(out.length() - 1);
        }
        return cut ? out + "…" : out.toString();
    }

    /** Whether the text holds only characters that can be shown; spaces count as such. */
    public static boolean isPrintable(String text) {
        return text.codePoints().noneMatch(Printable::isHidden);
    }

    private static void append(StringBuilder out, int c) {
        if (c == '"' || c == '\\') {
            out.append('\\').appendCodePoint(c);
        } else if (isHidden(c)) {
            out.append(String.format("\\u%04x", c));
        } else {
            out.appendCodePoint(c);
        }
    }

    private static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
