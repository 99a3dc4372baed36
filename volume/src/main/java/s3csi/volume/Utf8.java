package s3csi.volume;

import java.nio.charset.StandardCharsets;

final class Utf8 {
    private Utf8() {}

    static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
