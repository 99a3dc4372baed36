package s3csi.s3;

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
     * The mark within a header or an XML element, already free of XML escapes.
     *
     * @throws IllegalArgumentException when nothing is left without quotes and prefix
     */
    public static ETag parse(String raw) {
        String bare = raw.strip();
        if (bare.startsWith(WEAK)) {
            bare = bare.substring(WEAK.length());
        }
        return new ETag(bare.replace("\"", ""));
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
