package s3csi.program;

/** Writing JSON strings; all the JSON our programs print is flat enough to need no more. */
final class JsonText {
    private static final String HEX = "0123456789abcdef";

    private JsonText() {}

    static void string(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            character(out, text.charAt(i));
        }
        out.append('"');
    }

    private static void character(StringBuilder out, char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                // Line and paragraph separators would split a line for some readers; lone surrogates are no UTF-8.
                if (c < 0x20 || c == 0x7f || c == '\u2028' || c == '\u2029' || Character.isSurrogate(c)) {
                    out.append("\\u")
                            .append(HEX.charAt(c >> 12))
                            .append(HEX.charAt(c >> 8 & 15))
                            .append(HEX.charAt(c >> 4 & 15))
                            .append(HEX.charAt(c & 15));
                } else {
                    out.append(c);
                }
            }
        }
    }
}
