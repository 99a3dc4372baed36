package s3csi.testbed.training;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import s3csi.s3.testing.server.PrivateCa;

/**
 * As much of an API server as a training run touches, with TLS and watches by WebSocket as the real one has them. Nothing is tested with it; a
 * build must not need a control plane to train its programs.
 */
final class TrainingApiServer implements AutoCloseable {
    /** What both sides of a WebSocket agree on. */
    private static final String WEB_SOCKET = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int TEXT_FRAME = 0x81;
    private static final int SHORT_LENGTH = 126;
    private static final int LONG_LENGTH = 127;

    private final TrainingObjects objects;
    private final PrivateCa authority = PrivateCa.create();
    private final ServerSocket listener;

    private record Request(String method, URI target, Map<String, String> headers, String body) {}

    /** An object or all of a kind, as a path names them. */
    private record Place(String plural, String namespace, String name) {
        /** Of {@code /api/v1/...} or {@code /apis/group/version/...}. */
        static Place of(String path) {
            List<String> parts = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
            parts.subList(0, Math.min(parts.size(), parts.getFirst().equals("api") ? 2 : 3))
                    .clear();
            String namespace = "";
            if (parts.size() > 2 && parts.getFirst().equals("namespaces")) {
                namespace = parts.get(1);
                parts.subList(0, 2).clear();
            }
            return new Place(parts.isEmpty() ? "" : parts.getFirst(), namespace, parts.size() > 1 ? parts.get(1) : "");
        }

        String key() {
            return namespace + "/" + name;
        }
    }

    TrainingApiServer(TrainingObjects objects) throws IOException {
        this.objects = objects;
        listener = authority
                .issueFor("127.0.0.1")
                .serverContext()
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** How to reach it. */
    Path kubeconfig(Path directory) throws IOException {
        Path trusted = Files.writeString(directory.resolve("authority.crt"), authority.certificatePem());
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: training
                contexts: [{name: training, context: {cluster: training, user: training}}]
                clusters: [{name: training, cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}}]
                users: [{name: training, user: {token: training}}]
                """.formatted(listener.getLocalPort(), trusted));
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
        try (client;
                DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
                DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
            for (Request request = read(in); request != null; request = read(in)) {
                if (request.headers().containsKey("sec-websocket-key")) {
                    watch(request, in, out);
                    return;
                }
                answer(request, out);
            }
        } catch (IOException gone) {
            // The controller has ended.
        }
    }

    private static @Nullable Request read(DataInputStream in) throws IOException {
        String first = line(in);
        if (first.isEmpty()) {
            return null;
        }
        Map<String, String> headers = new HashMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String[] parts = header.split(":", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1].strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        String[] words = first.split(" ", -1);
        return new Request(words[0], URI.create(words[1]), headers, new String(body, UTF_8));
    }

    /** Empty at the end of a head or of the connection. */
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private void answer(Request request, DataOutputStream out) throws IOException {
        Place place = Place.of(request.target().getPath());
        switch (request.method()) {
            case "GET" -> {
                String found = place.plural().isEmpty()
                        ? ""
                        : place.name().isEmpty()
                                ? objects.list(place.plural())
                                : objects.get(place.plural(), place.key());
                send(out, found.isEmpty() ? "404 Not Found" : "200 OK", found.isEmpty() ? "{\"code\":404}" : found);
            }
            case "POST" -> send(out, "201 Created", objects.create(place.plural(), request.body()));
            case "PUT" -> send(out, "200 OK", objects.replace(place.plural(), request.body()));
            case "PATCH" -> send(out, "200 OK", objects.patch(place.plural(), place.key(), request.body()));
            default -> {
                objects.delete(place.plural(), place.key());
                send(out, "200 OK", "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}");
            }
        }
    }

    private static void send(DataOutputStream out, String status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        out.write("HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                .formatted(status, bytes.length)
                .getBytes(ISO_8859_1));
        out.write(bytes);
        out.flush();
    }

    /** Until the other side goes. */
    private void watch(Request request, DataInputStream in, DataOutputStream out) throws IOException {
        out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + accepted(String.valueOf(request.headers().get("sec-websocket-key"))) + "\r\n\r\n")
                .getBytes(ISO_8859_1));
        TrainingObjects.Watcher watcher = event -> {
            try {
                frame(out, event.getBytes(UTF_8));
            } catch (IOException gone) {
                // Noticed by who reads.
            }
        };
        objects.watch(Place.of(request.target().getPath()).plural(), since(request.target()), watcher);
        try {
            in.skipBytes(Integer.MAX_VALUE);
        } finally {
            objects.forget(watcher);
        }
    }

    private static long since(URI target) {
        String[] parts = String.valueOf(target.getQuery()).split("resourceVersion=", 2);
        return parts.length < 2 ? 0 : Long.parseLong(parts[1].split("&", 2)[0]);
    }

    private static String accepted(String key) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest((key + WEB_SOCKET).getBytes(ISO_8859_1)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    private static void frame(DataOutputStream out, byte[] text) throws IOException {
        synchronized (out) {
            out.write(TEXT_FRAME);
            if (text.length < SHORT_LENGTH) {
                out.write(text.length);
            } else if (text.length <= Character.MAX_VALUE) {
                out.write(SHORT_LENGTH);
                out.writeShort(text.length);
            } else {
                out.write(LONG_LENGTH);
                out.writeLong(text.length);
            }
            out.write(text);
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
