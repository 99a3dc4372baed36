package s3csi.s3.signing;

import java.nio.charset.StandardCharsets;

/** Percent-encoding as SigV4 wants it: UTF-8, everything but unreserved characters, hexadecimal digits in upper case. */
public final class PercentEncoding {
    private static final String HEX = "0123456789ABCDEF";

    private PercentEncoding() {}

    /** A key as a path: slashes stay. */
    public static String path(String text) {
        return encode(text, true);
    }

    /** A name or value of a query. */
    public static String query(String text) {
        return encode(text, false);
    }

    private static String encode(String text, boolean keepSlashes) {
        int clean = 0;
        while (clean < text.length() && isPlain(text.charAt(clean), keepSlashes)) {
            clean++;
        }
        if (clean == text.length()) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(bytes.length * 2);
        for (byte b : bytes) {
            if (b > 0 && isPlain((char) b, keepSlashes)) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.charAt(b >> 4 & 0xf)).append(HEX.charAt(b & 0xf));
            }
        }
        return out.toString();
    }

    private static boolean isPlain(char c, boolean keepSlashes) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~'
                || (keepSlashes && c == '/');
    }
}
