package s3csi.volume.mount;

import java.nio.charset.StandardCharsets;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.EngineTrouble;
import s3csi.volume.NodeCause;
import s3csi.volume.Printable;

/**
 * What a mounter leaves in {@code mount.err} when a mount fails: a first line {@code cause: WORD}, then the engine's own words. Mounters
 * of 2.x leave only the latter.
 */
public record EngineReport(EngineTrouble trouble, String words) {
    /** The node reads no more of the file; the first words matter. */
    public static final int LARGEST = 64 << 10;

    private static final String FIRST_LINE = "cause: ";
    private static final int LONGEST_MESSAGE = 1000;

    public byte[] toBytes() {
        return (FIRST_LINE + trouble.word() + "\n" + words).getBytes(StandardCharsets.UTF_8);
    }

    public static EngineReport parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        if (!text.startsWith(FIRST_LINE)) {
            return new EngineReport(EngineTrouble.ENGINE_FAILED, text);
        }
        String word = text.substring(FIRST_LINE.length(), end < 0 ? text.length() : end);
        return new EngineReport(EngineTrouble.ofWord(word.strip()), end < 0 ? "" : text.substring(end + 1));
    }

    /** The same as a failure; {@code log} says where the engine's log is, for a person, and {@code keys} whose keys it had. */
    public NodeCause.EngineFailed cause(String bucket, AuthenticationSource keys, String log) {
        String line = Printable.oneLine(words, LONGEST_MESSAGE);
        return new NodeCause.EngineFailed(
                bucket, trouble, line.isEmpty() ? "the engine ended without a word" : line, keys, log);
    }
}
