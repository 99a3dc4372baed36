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

    /**
     * The Mountpoint Pod that is made for a workload; its source directory has the same name.
     *
     * @param attempt 0 for the first, which is named as in earlier releases. One that has failed keeps its name while it ends, which takes
     *     minutes, so the one in its place has another.
     */
    public static String mountpointPod(Workload workload, int attempt) {
        return SOURCE_PREFIX
                + (attempt == 0
                        ? hash(workload.podUid() + workload.persistentVolume())
                        : digest(List.of(workload.podUid(), workload.persistentVolume(), Integer.toString(attempt))));
    }

    /** A source that is shared by everything that agrees in all of the facts. */
    public static String source(List<String> facts) {
        return SOURCE_PREFIX + digest(facts);
    }

    /** The same text for the same list of texts, and for no other. */
    public static String digest(List<String> facts) {
        MessageDigest digest = sha224();
        for (String fact : facts) {
            byte[] bytes = fact.getBytes(StandardCharsets.UTF_8);
            // With its length before it, no fact can pretend to be two.
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
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
