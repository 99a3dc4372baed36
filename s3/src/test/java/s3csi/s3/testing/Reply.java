package s3csi.s3.testing;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import s3csi.s3.testing.ScriptedServer.Request;

/** The other end of a connection, in the hands of a script. */
public final class Reply {
    private final Socket socket;
    private final CountDownLatch closing;
    private final boolean isSilent;

    Reply(Socket socket, CountDownLatch closing) {
        this(socket, closing, false);
    }

    private Reply(Socket socket, CountDownLatch closing, boolean isSilent) {
        this.socket = socket;
        this.closing = closing;
        this.isSilent = isSilent;
    }

    /** The same connection, on which nothing is sent: for requests that take effect and whose answer is lost. */
    public Reply silent() {
        return new Reply(socket, closing, true);
    }

    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void send(byte[] bytes) throws IOException {
        if (isSilent) {
            return;
        }
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** A whole answer; headers as lines, each with its line end. */
    public void answer(int status, String headers, byte[] body) throws IOException {
        send("HTTP/1.1 " + status + " X\r\n" + headers + "content-length: " + body.length + "\r\n\r\n");
        send(body);
    }

    public void answer(int status, String headers, String body) throws IOException {
        answer(status, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    /** An error as S3 answers it. */
    public void error(int status, String code) throws IOException {
        answer(status, "", "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>told so</Message></Error>");
    }

    /** The range that was asked for, of an object with these bytes, as a good store answers. */
    public void object(Request request, byte[] bytes, String etag) throws IOException {
        int[] range = range(request, bytes.length);
        answer(206, rangeHeaders(range, bytes.length, etag), Arrays.copyOfRange(bytes, range[0], range[1]));
    }

    /** Like {@link #object}, but only the first bytes of the answer; the script decides what comes then. */
    public void partOfObject(Request request, byte[] bytes, String etag, int count) throws IOException {
        int[] range = range(request, bytes.length);
        send("HTTP/1.1 206 X\r\n" + rangeHeaders(range, bytes.length, etag) + "content-length: " + (range[1] - range[0])
                + "\r\n\r\n");
        send(Arrays.copyOfRange(bytes, range[0], Math.min(range[0] + count, range[1])));
    }

    private static String rangeHeaders(int[] range, int total, String etag) {
        return "etag: \"" + etag + "\"\r\nlast-modified: Sun, 15 Nov 2026 10:00:00 GMT\r\ncontent-range: bytes "
                + range[0] + '-' + (range[1] - 1) + '/' + total + "\r\n";
    }

    private static int[] range(Request request, int size) {
        String[] ends = request.header("range").substring("bytes=".length()).split("-", 2);
        return new int[] {Integer.parseInt(ends[0]), Math.min(size, Integer.parseInt(ends[1]) + 1)};
    }

    /** Ends the connection in order. */
    public void close() throws IOException {
        socket.close();
    }

    /** Ends the connection with a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Says nothing more until the server is closed. */
    public void stall() throws IOException {
        try {
            closing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
