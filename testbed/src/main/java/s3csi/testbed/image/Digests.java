package s3csi.testbed.image;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests as images name what they consist of. */
final class Digests {
    private Digests() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static String of(byte[] content) {
        MessageDigest digest = sha256();
        digest.update(content);
        return text(digest);
    }

    static String text(MessageDigest digest) {
        return "sha256:" + HexFormat.of().formatHex(digest.digest());
    }
}
