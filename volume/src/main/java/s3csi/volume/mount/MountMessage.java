package s3csi.volume.mount;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import s3csi.volume.json.Json;

/**
 * What the node service sends to a mounter together with the FUSE descriptor: one JSON object, in one message, then the end of the
 * stream. Node services and mounters of different releases talk to each other during an upgrade, so the three members keep their names
 * and meaning; a reader ignores others.
 *
 * @param args options of the engine, sorted
 * @param env {@code NAME=value}, sorted; the whole environment of the engine
 */
public record MountMessage(String bucketName, List<String> args, List<String> env) {
    /** No message of ours comes near it; a reader needs some bound. */
    public static final int LARGEST = 1 << 20;

    public MountMessage {
        args = List.copyOf(args);
        env = List.copyOf(env);
    }

    public byte[] toBytes() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("bucketName", bucketName);
        members.put("args", args);
        members.put("env", env);
        return Json.text(members).getBytes(StandardCharsets.UTF_8);
    }

    /** Reads a message; what is wrong with it is said without showing it. */
    public static MountMessage parse(byte[] bytes) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the mount message is not UTF-8", e);
        }
        if (!(Json.read(text) instanceof Map<?, ?> members)) {
            throw new IllegalArgumentException("the mount message is not an object");
        }
        if (!(members.get("bucketName") instanceof String bucket) || bucket.isEmpty()) {
            throw new IllegalArgumentException("the mount message names no bucket");
        }
        return new MountMessage(bucket, strings(members, "args"), strings(members, "env"));
    }

    // Go's encoder, which 2.x uses, writes an empty list as null.
    private static List<String> strings(Map<?, ?> members, String name) {
        Object value = members.get(name);
        if (value == null || value.equals(new Json.Other("null"))) {
            return List.of();
        }
        List<String> strings = new ArrayList<>();
        if (!(value instanceof List<?> elements)) {
            throw new IllegalArgumentException("the member " + name + " of the mount message is not a list");
        }
        for (Object element : elements) {
            if (!(element instanceof String string)) {
                throw new IllegalArgumentException(
                        "the member " + name + " of the mount message holds more than strings");
            }
            strings.add(string);
        }
        return strings;
    }

    /** The environment by name; of a name that comes twice the last value counts. */
    public Map<String, String> environment() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String line : env) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                variables.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return variables;
    }

    /** The environment may hold keys, when a 2.x node sent it. */
    @Override
    public String toString() {
        return "mount message for " + bucketName + " with " + args + " and " + env.size() + " variables";
    }
}
