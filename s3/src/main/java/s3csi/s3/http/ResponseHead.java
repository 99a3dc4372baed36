package s3csi.s3.http;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Status and headers of an answer. Kept as the bytes that came; a header becomes a string only when somebody asks, because most
 * of them nobody does.
 */
public final class ResponseHead {
    private static final int SHORTEST_STATUS_LINE = "HTTP/1.1 200".length();

    private final byte[] bytes;
    private final int status;

    private ResponseHead(byte[] bytes, int status) {
        this.bytes = bytes;
        this.status = status;
    }

    /** The length of the head at the start of the buffer with its empty line, or -1 when the end has not arrived. */
    static int lengthIn(ByteBuffer buffer, int from) {
        for (int i = Math.max(buffer.position(), from - 3); i + 1 < buffer.limit(); i++) {
            if (buffer.get(i) == '\n') {
                if (buffer.get(i + 1) == '\n') {
                    return i + 2 - buffer.position();
                }
                if (buffer.get(i + 1) == '\r' && i + 2 < buffer.limit() && buffer.get(i + 2) == '\n') {
                    return i + 3 - buffer.position();
                }
            }
        }
        return -1;
    }

    static ResponseHead parse(byte[] head) throws ProtocolException {
        if (head.length < SHORTEST_STATUS_LINE || !startsWith(head, "HTTP/1.") || head[8] != ' ') {
            throw new NoStatusLineException();
        }
        int status = 0;
        for (int i = 9; i < SHORTEST_STATUS_LINE; i++) {
            if (head[i] < '0' || head[i] > '9') {
                throw new ProtocolException("the status of the answer is not a number");
            }
            status = status * 10 + head[i] - '0';
        }
        return new ResponseHead(head, status);
    }

    private static boolean startsWith(byte[] bytes, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (bytes[i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    public int status() {
        return status;
    }

    private boolean isHttp10() {
        return bytes[7] == '0';
    }

    /**
     * The value of the first header of that name.
     *
     * @param name in lower case
     */
    public @Nullable String header(String name) {
        int line = nextLine(0);
        while (line < bytes.length) {
            int next = nextLine(line);
            if (isNamed(line, name)) {
                return new String(
                                bytes,
                                line + name.length() + 1,
                                next - line - name.length() - 1,
                                StandardCharsets.UTF_8)
                        .strip();
            }
            line = next;
        }
        return null;
    }

    /** The value of the header, or an empty text. */
    public String headerOrEmpty(String name) {
        String value = header(name);
        return value == null ? "" : value;
    }

    /** Whether the connection outlives the answer, as far as the server says. */
    boolean keepsAlive() {
        String options = headerOrEmpty("connection");
        return isHttp10() ? names(options, "keep-alive") : !names(options, "close");
    }

    /** The header is a list in which proxies along the way may have added something. */
    private static boolean names(String list, String option) {
        return Arrays.stream(list.split(",", -1)).anyMatch(item -> item.strip().equalsIgnoreCase(option));
    }

    private int nextLine(int from) {
        int i = from;
        while (i < bytes.length && bytes[i] != '\n') {
            i++;
        }
        return i + 1;
    }

    private boolean isNamed(int line, String name) {
        if (line + name.length() >= bytes.length || bytes[line + name.length()] != ':') {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            byte b = bytes[line + i];
            int lower = b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
            if (lower != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return "answer with status " + status;
    }
}
