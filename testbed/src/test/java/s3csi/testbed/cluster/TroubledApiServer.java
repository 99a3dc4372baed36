package s3csi.testbed.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Stands before an API server, and answers requests as one in trouble does where a plan says so; all others get their answer from the real one.
 * Its clients speak plain HTTP to it.
 */
final class TroubledApiServer implements AutoCloseable {
    /** What becomes of a request. */
    enum Trouble {
        NONE,
        /** Of a watch: it begins so long ago that the real server says 410. */
        GONE,
        /** Of a list: 410, as where the server has forgotten the state that the pages before were of. */
        EXPIRED,
        /** 429, and come again in a second. */
        BUSY,
        /** 500. */
        BROKEN,
        /** The connection ends without an answer. */
        CUT
    }

    private final URI server;
    private final SSLContext trust;
    private final Function<String, Trouble> plan;
    private final ServerSocket listener;
    private final AtomicInteger troubled = new AtomicInteger();

    /** @param plan by the first line of a request */
    TroubledApiServer(ControlPlane plane, Function<String, Trouble> plan) {
        this.server = plane.address();
        this.plan = plan;
        try {
            trust = trusting(plane);
            listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stand before the API server", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot trust the API server", e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    private static SSLContext trusting(ControlPlane plane) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(plane.certificate())) {
            int number = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("certificate-" + number++, one);
            }
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** How many requests did not get the real answer. */
    int troubled() {
        return troubled.get();
    }

    static boolean isWatch(String request) {
        return request.contains("watch=true");
    }

    /** Whether it asks for another page of a list than the first. */
    static boolean isNextPage(String request) {
        return request.contains("continue=");
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException closed) {
                // The loop's condition tells whether it was meant.
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            if (head.isEmpty()) {
                return;
            }
            Trouble trouble = plan.apply(head.substring(0, head.indexOf('\r')));
            if (trouble != Trouble.NONE) {
                troubled.incrementAndGet();
            }
            switch (trouble) {
                case NONE -> forward(client, head);
                case GONE -> forward(client, head.replaceFirst("resourceVersion=\\d+", "resourceVersion=1"));
                case EXPIRED -> refuse(client, 410, "Gone", "");
                case BUSY -> refuse(client, 429, "Too Many Requests", "Retry-After: 1\r\n");
                case BROKEN -> refuse(client, 500, "Internal Server Error", "");
                case CUT -> {}
            }
        } catch (IOException gone) {
            // One of them has ended.
        }
    }

    /** All up to the empty line, byte by byte: what follows belongs to the server. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.append((char) next);
            if (head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                return head.toString();
            }
        }
        return "";
    }

    private static void refuse(Socket client, int code, String text, String header) throws IOException {
        String body =
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":%d,\"message\":\"%s\"}"
                        .formatted(code, text);
        client.getOutputStream()
                .write(
                        "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n%s"
                                .formatted(code, text, body.length(), header, body)
                                .getBytes(ISO_8859_1));
    }

    /** One request for each connection, so that the next one is looked at, too. */
    private void forward(Socket client, String head) throws IOException {
        boolean isUpgrade = head.contains("Upgrade: websocket");
        // Small pages, so that a list of a few objects has several.
        String asked = head.replaceFirst("limit=\\d+", "limit=2");
        String sent = isUpgrade ? asked : asked.replaceFirst("\r\n", "\r\nConnection: close\r\n");
        try (Socket upstream = trust.getSocketFactory().createSocket(server.getHost(), server.getPort())) {
            upstream.getOutputStream().write(sent.getBytes(ISO_8859_1));
            Thread.ofVirtual().start(() -> pass(client, upstream));
            upstream.getInputStream().transferTo(client.getOutputStream());
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
                out.flush();
            }
        } catch (IOException gone) {
            // The other direction notices it, too.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
