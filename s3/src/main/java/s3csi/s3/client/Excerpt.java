package s3csi.s3.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import s3csi.s3.xml.XmlSource;

/** Keeps the beginning of a document that is read through it, for when it turns out to be none. */
final class Excerpt implements XmlSource {
    private static final int LONGEST = 512;

    private final XmlSource source;
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();

    Excerpt(XmlSource source) {
        this.source = source;
    }

    @Override
    public int read(byte[] target) throws IOException {
        int count = source.read(target);
        if (count > 0) {
            beginning.write(target, 0, Math.min(count, LONGEST - beginning.size()));
        }
        return count;
    }

    /** The beginning, if it is words and not markup, which nobody wants to read. */
    String words() {
        String text = beginning.toString(StandardCharsets.UTF_8).strip();
        return text.startsWith("<") ? "" : text;
    }
}
