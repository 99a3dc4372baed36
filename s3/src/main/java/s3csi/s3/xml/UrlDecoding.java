package s3csi.s3.xml;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Undoes {@code encoding-type=url}: stores encode like a form, with a plus for a space. */
final class UrlDecoding {
    private UrlDecoding() {}

    /** The text, or null when the bytes behind it are no UTF-8, so that no name can stand for them. */
    static @Nullable String decode(String encoded) {
        if (encoded.indexOf('%') < 0 && encoded.indexOf('+') < 0) {
            return encoded;
        }
        byte[] in = encoded.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[in.length];
        int length = 0;
        for (int i = 0; i < in.length; i++) {
            if (in[i] == '%' && i + 2 < in.length && digit(in[i + 1]) >= 0 && digit(in[i + 2]) >= 0) {
                out[length++] = (byte) (digit(in[i + 1]) << 4 | digit(in[i + 2]));
                i += 2;
            } else {
                out[length++] = in[i] == '+' ? (byte) ' ' : in[i];
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(out, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static int digit(byte b) {
        return Character.digit(b, 16);
    }
}
