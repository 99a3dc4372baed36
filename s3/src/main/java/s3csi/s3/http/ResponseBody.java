package s3csi.s3.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;

/** The body of an answer. A body that ends before its announced length fails with {@link EOFException}. */
public final class ResponseBody {
    private static final long UNTIL_CLOSE = Long.MAX_VALUE;
    /** Of the size of a chunk, or of a trailer: more says nothing to us. */
    private static final int KEPT_OF_LINE = 256;
    /** With extensions, which are read over. */
    private static final int LONGEST_LINE = 16 * 1024;

    private final HttpConnection connection;
    private final boolean chunked;
    /** Of the whole body, or of the current chunk. */
    private long remaining;

    private boolean betweenChunks;
    private boolean complete;

    private ResponseBody(HttpConnection connection, boolean chunked, long remaining) {
        this.connection = connection;
        this.chunked = chunked;
        this.remaining = remaining;
        this.complete = !chunked && remaining == 0;
    }

    static ResponseBody of(HttpConnection connection, ResponseHead head, boolean bodiless) throws ProtocolException {
        int status = head.status();
        if (bodiless || status == 204 || status == 304) {
            return new ResponseBody(connection, false, 0);
        }
        String coding = head.header("transfer-encoding");
        if (coding != null) {
            if (!coding.equalsIgnoreCase("chunked")) {
                throw new ProtocolException("the answer has a transfer coding other than chunked");
            }
            return new ResponseBody(connection, true, 0);
        }
        String length = head.header("content-length");
        return new ResponseBody(connection, false, length == null ? UNTIL_CLOSE : parseLength(length));
    }

    static long parseLength(String text) throws ProtocolException {
        if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new ProtocolException("the length of the answer is not a number");
        }
        return Long.parseLong(text);
    }

    /** Puts at least one byte into the target; -1 at the end of the body. */
    public int read(ByteBuffer target) throws IOException {
        if (chunked && remaining == 0 && !complete) {
            nextChunk();
        }
        if (complete) {
            return -1;
        }
        int limit = target.limit();
        if (target.remaining() > remaining) {
            target.limit(target.position() + (int) remaining);
        }
        int count;
        try {
            count = connection.readBody(target);
        } finally {
            target.limit(limit);
        }
        if (count < 0) {
            if (remaining == UNTIL_CLOSE) {
                complete = true;
                return -1;
            }
            throw cut();
        }
        if (remaining != UNTIL_CLOSE) {
            remaining -= count;
            complete = !chunked && remaining == 0;
        }
        return count;
    }

    private static EOFException cut() {
        return new EOFException("the connection was closed in the middle of the answer");
    }

    private void nextChunk() throws IOException {
        if (betweenChunks && !readLine().isEmpty()) {
            throw new ProtocolException("a chunk of the answer is longer than announced");
        }
        betweenChunks = true;
        String line = readLine();
        int end = line.indexOf(';');
        String size = (end < 0 ? line : line.substring(0, end)).strip();
        try {
            remaining = Long.parseLong(size, 16);
        } catch (NumberFormatException e) {
            throw new ProtocolException("the size of a chunk of the answer is not a number");
        }
        if (remaining < 0) {
            throw new ProtocolException("the size of a chunk of the answer is negative");
        }
        if (remaining == 0) {
            while (!readLine().isEmpty()) {
                // Trailers: nothing we ask for comes there.
            }
            complete = true;
        }
    }

    /** The start of the next line; all of it is read. */
    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int length = 0; length <= LONGEST_LINE; length++) {
            int b = connection.readByte();
            if (b < 0) {
                throw cut();
            }
            if (b == '\n') {
                return line.toString();
            }
            if (b != '\r' && line.length() < KEPT_OF_LINE) {
                line.append((char) b);
            }
        }
        throw new ProtocolException("a line between the chunks of the answer does not end");
    }

    /** For the small bodies of listings and errors, by way of the connection's own buffer; -1 at the end of the body. */
    public int read(byte[] target) throws IOException {
        if (chunked && remaining == 0 && !complete) {
            nextChunk();
        }
        if (complete) {
            return -1;
        }
        int count = connection.readSmall(target, (int) Math.min(target.length, remaining));
        if (count < 0) {
            if (remaining == UNTIL_CLOSE) {
                complete = true;
                return -1;
            }
            throw cut();
        }
        if (remaining != UNTIL_CLOSE) {
            remaining -= count;
            complete = !chunked && remaining == 0;
        }
        return count;
    }

    /** Whether nothing but the end of the connection tells where it ends, so that one that was cut cannot be told from a whole one. */
    public boolean hasNoLength() {
        return remaining == UNTIL_CLOSE;
    }

    /** Whether the end has been reached, so that the connection is at the start of the next answer. */
    boolean isComplete() {
        return complete && remaining != UNTIL_CLOSE;
    }

    /** Reads what is left when it is little; a connection that can be kept is worth more than a few kilobytes. */
    void finishIfShort(int most) throws IOException {
        byte[] scrap = new byte[512];
        int left = most;
        while (!complete && left > 0 && (chunked || remaining <= left)) {
            left -= Math.max(0, read(scrap));
        }
    }
}
