package s3csi.s3.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import s3csi.s3.testing.server.ServerCertificate;
import s3csi.s3.testing.server.TlsVersion;

/**
 * An HTTP server that does exactly what a test tells it, down to the byte: wrong answers, half answers, none. Requests are numbered
 * from 1 in the order in which they arrive, over all connections.
 */
public final class ScriptedServer implements AutoCloseable {
    private final ServerSocket listener;
    private final boolean secure;
    private final Script script;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closing = new CountDownLatch(1);

    /** What to do with a request. */
    public interface Script {
        void answer(Request request, Reply reply) throws IOException;
    }

    /**
     * A request as it came.
     *
     * @param headers by their names in lower case
     */
    public record Request(int number, String method, String target, Map<String, String> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    public ScriptedServer(Script script) {
        this(script, null);
    }

    /** Speaks this version of TLS and no other. */
    public ScriptedServer(Script script, ServerCertificate certificate, TlsVersion version) {
        this(script, certificate);
        version.only(listener);
    }

    public ScriptedServer(Script script, @Nullable ServerCertificate certificate) {
        this.script = script;
        this.secure = certificate != null;
        try {
            listener = certificate == null
                    ? new ServerSocket()
                    : certificate.serverContext().getServerSocketFactory().createServerSocket();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on loopback", e);
        }
        Thread.ofVirtual().start(this::acceptAll);
    }

    public URI address() {
        return URI.create((secure ? "https" : "http") + "://127.0.0.1:" + listener.getLocalPort());
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    public int connections() {
        return connections.get();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                // Closed, or a connection that the client broke off: the next one counts.
                Thread.onSpinWait();
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Reply reply = new Reply(socket, closing);
            for (Request request = read(in); request != null && !socket.isClosed(); request = read(in)) {
                script.answer(request, reply);
                socket.getOutputStream().flush();
            }
        } catch (IOException e) {
            // The client went away in the middle, as the scripts make it do.
            open.remove(socket);
        } finally {
            open.remove(socket);
        }
    }

    private @Nullable Request read(InputStream in) throws IOException {
        String first = line(in);
        if (first == null) {
            return null;
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        String[] words = first.split(" ", 3);
        synchronized (requests) {
            Request request = new Request(
                    requests.size() + 1, words[0], words[1], headers, new String(body, StandardCharsets.ISO_8859_1));
            requests.add(request);
            return request;
        }
    }

    private static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b = in.read();
        if (b < 0) {
            return null;
        }
        for (; b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the scripted server", e);
        }
    }
}
