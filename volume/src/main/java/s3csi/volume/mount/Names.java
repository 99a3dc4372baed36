package s3csi.volume.mount;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Names that are made from other names. */
public final class Names {
    /** How the names of all our sources and Mountpoint Pods begin. */
    public static final String SOURCE_PREFIX = "mp-";

    private Names() {}

    /** The Mountpoint Pod of a workload and its PersistentVolume; its source directory has the same name. */
    public static String mountpointPod(String workloadUid, String persistentVolume) {
        return SOURCE_PREFIX + hash(workloadUid + persistentVolume);
    }

    /** A source that is shared by everything that agrees in all of the facts. */
    public static String source(List<String> facts) {
        MessageDigest digest = sha224();
        for (String fact : facts) {
            byte[] bytes = fact.getBytes(StandardCharsets.UTF_8);
            // With its length before it, no fact can pretend to be two.
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            digest.update(bytes);
        }
        return SOURCE_PREFIX + HexFormat.of().formatHex(digest.digest());
    }

    static String hash(String text) {
        return HexFormat.of().formatHex(sha224().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest sha224() {
        try {
            return MessageDigest.getInstance("SHA-224");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-224", e);
        }
    }
}
