package s3csi.s3;

import org.jspecify.annotations.Nullable;

/**
 * The version mark of an object, without quotes and without the weak prefix.
 *
 * <p>Stores quote differently in listings and in headers ({@code "abc"}, {@code abc}, {@code W/"abc"}, or with the
 * quotes as XML entities), so only the bare text is compared; {@link #quoted()} is what goes on the wire.
 */
public record ETag(String text) {
    private static final String WEAK = "W/";

    public ETag {
        if (text.isEmpty() || text.indexOf('"') >= 0 || text.startsWith(WEAK)) {
            throw new IllegalArgumentException("not a bare ETag: " + Quoted.text(text) + "; use ETag.parse");
        }
    }

    /**
     * The mark within a header or an XML element, already free of XML escapes; null when nothing is left without quotes and prefix,
     * because some stores have no mark for some objects.
     */
    public static @Nullable ETag parse(String raw) {
        int last = raw.length() - 1;
        boolean isQuoted = last > 0 && raw.charAt(0) == '"' && raw.indexOf('"', 1) == last;
        // Nearly all are quoted just so, and a listing has thousands.
        String bare = (isQuoted ? raw.substring(1, last) : raw.replace("\"", "")).strip();
        while (bare.startsWith(WEAK)) {
            bare = bare.substring(WEAK.length()).strip();
        }
        return bare.isEmpty() ? null : new ETag(bare);
    }

    /** The form of the {@code If-Match} header. */
    public String quoted() {
        return '"' + text + '"';
    }

    @Override
    public String toString() {
        return text;
    }
}
