package s3csi.health;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port for short questions over HTTP: one request for each connection, without a body.
 *
 * <p>Everybody in the network may connect, so nothing that a client does may cost the program more than a little: a connection has a few
 * kilobytes and a few seconds, and there are few at a time. When all are taken, the oldest gives way to the newest. A probe asks at once
 * and is answered in milliseconds, so those that give way are those that only wait.
 */
final class HttpPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPort.class);

    static final int MOST_CONNECTIONS = 32;
    static final int LARGEST_HEAD = 8 << 10;

    /** From the first byte to the last, in both directions. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** What an answer consists of, beside what every answer has. */
    record Answer(int status, String type, String body) {
        static Answer text(int status, String text) {
            return new Answer(status, "text/plain; charset=utf-8", text);
        }
    }

    private record Connection(Socket socket, long since) {
        boolean isOlderThan(Duration age) {
            return System.nanoTime() - since > age.toNanos();
        }
    }

    private final ServerSocket listener;
    private final Function<String, Answer> answers;

    /** The oldest first. Guarded by itself. */
    private final Deque<Connection> open = new ArrayDeque<>();

    /**
     * Listens at once.
     *
     * @param answers to the path of a request
     */
    HttpPort(InetSocketAddress address, Function<String, Answer> answers) throws IOException {
        this.answers = answers;
        listener = new ServerSocket();
        try {
            listener.setReuseAddress(true);
            listener.setSoTimeout((int) BETWEEN_LOOKS.toMillis());
            listener.bind(address);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        Thread.ofVirtual().name("http").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                admit(new Connection(listener.accept(), System.nanoTime()));
            } catch (SocketTimeoutException e) {
                // The time to look at the clock.
            } catch (IOException | OutOfMemoryError e) {
                pauseAfter(e);
            }
            closeThoseThatTakeTooLong();
        }
    }

    private void admit(Connection newest) {
        synchronized (open) {
            if (open.size() >= MOST_CONNECTIONS) {
                close(open.removeFirst());
            }
            open.addLast(newest);
        }
        Thread.ofVirtual().name("http request").start(() -> serve(newest));
    }

    /** Such as no descriptors left: without a pause it would be tried a million times a second. */
    private void pauseAfter(Throwable failure) {
        if (listener.isClosed()) {
            return;
        }
        LOG.warn("cannot accept a connection on port {}; trying on", port(), failure);
        try {
            Thread.sleep(BETWEEN_LOOKS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeThoseThatTakeTooLong() {
        synchronized (open) {
            while (!open.isEmpty() && open.getFirst().isOlderThan(LONGEST)) {
                close(open.removeFirst());
            }
        }
    }

    /** What goes wrong with a client is the client's business, and must not fill the log. */
    private void serve(Connection connection) {
        try (Socket socket = connection.socket()) {
            String head = readHead(socket.getInputStream());
            write(socket.getOutputStream(), head.startsWith("HEAD "), answerTo(head));
            // Closing with something unread would reset the connection, and the answer with it.
            socket.shutdownOutput();
            byte[] _ = socket.getInputStream().readNBytes(LARGEST_HEAD);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            LOG.debug("a connection ended early", e);
        } finally {
            synchronized (open) {
                open.remove(connection);
            }
        }
    }

    /** The request up to the empty line, or all that was read of one that is too large. */
    private static String readHead(InputStream in) throws IOException {
        byte[] head = new byte[LARGEST_HEAD];
        int length = 0;
        while (length < head.length) {
            int n = in.read(head, length, head.length - length);
            if (n < 0) {
                throw new IOException("the client went away in the middle of its request");
            }
            if (hasEmptyLine(head, length, length + n)) {
                return new String(head, 0, length + n, StandardCharsets.ISO_8859_1);
            }
            length += n;
        }
        return "";
    }

    /** Whether a line that ends between the two places is empty. */
    private static boolean hasEmptyLine(byte[] head, int from, int to) {
        for (int i = Math.max(from, 1); i < to; i++) {
            if (head[i] == '\n' && (head[i - 1] == '\n' || (head[i - 1] == '\r' && i > 1 && head[i - 2] == '\n'))) {
                return true;
            }
        }
        return false;
    }

    private Answer answerTo(String head) {
        if (head.isEmpty()) {
            return Answer.text(431, "the request has more than " + LARGEST_HEAD + " bytes\n");
        }
        String[] line = head.lines().findFirst().orElse("").split(" ", -1);
        if (line.length != 3 || !line[2].startsWith("HTTP/1.")) {
            return Answer.text(400, "this is no request of HTTP/1.1\n");
        }
        if (!line[0].equals("GET") && !line[0].equals("HEAD")) {
            return Answer.text(405, "there is only something to read here\n");
        }
        int query = line[1].indexOf('?');
        return answers.apply(query < 0 ? line[1] : line[1].substring(0, query));
    }

    private static void write(OutputStream out, boolean headOnly, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(("HTTP/1.1 " + answer.status() + " \r\nContent-Type: " + answer.type() + "\r\nContent-Length: "
                        + body.length + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        if (!headOnly) {
            whole.writeBytes(body);
        }
        whole.writeTo(out);
    }

    private static void close(Connection connection) {
        try {
            connection.socket().close();
        } catch (IOException e) {
            LOG.debug("a connection was closed already", e);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            LOG.debug("the port was closed already", e);
        }
        synchronized (open) {
            open.forEach(HttpPort::close);
        }
    }
}
