package s3csi.s3;

/** Text from outside, made safe for a message: bounded, one line, no control characters. */
public final class Quoted {
    private static final int LONGEST = 120;

    private Quoted() {}

    /** The text between double quotes; control characters become {@code \\u....}, the rest of a long text becomes an ellipsis. */
    public static String text(String text) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), LONGEST) + 3).append('"');
        for (int i = 0; i < text.length() && i < LONGEST; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(text.length() > LONGEST ? "…\"" : "\"").toString();
    }
}
