package s3csi.driver.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import s3csi.volume.Printable;
import s3csi.volume.json.JsonObject;

/** Requests to the API server of the cluster. Each says what it got or why not; nothing is repeated here. */
public final class ApiServer {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    static final int LONGEST_REASON = 500;

    private final URI address;
    private final ServiceAccount account;
    private final String userAgent;

    /** The server at this address, as this account. */
    public ApiServer(URI address, ServiceAccount account, String userAgent) {
        this.address = address;
        this.account = account;
        this.userAgent = userAgent;
    }

    /** The server of the cluster that this process is a pod of; empty if it is none. */
    public static Optional<URI> addressIn(Map<String, String> environment) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
        return host.isEmpty() || port.isEmpty()
                ? Optional.empty()
                : Optional.of(URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port));
    }

    public URI address() {
        return address;
    }

    public JsonObject get(String path) throws ApiFailure {
        return answer("GET", path, null);
    }

    public JsonObject post(String path, JsonObject body) throws ApiFailure {
        return answer("POST", path, body);
    }

    /** Refused with 409 if the object has changed since it was read. */
    public JsonObject put(String path, JsonObject body) throws ApiFailure {
        return answer("PUT", path, body);
    }

    private JsonObject answer(String method, String path, @Nullable JsonObject body) throws ApiFailure {
        try {
            HttpURLConnection connection = connect(method, path, ANSWER);
            if (body != null) {
                send(connection, body);
            }
            requireSuccess(connection);
            try (InputStream answer = connection.getInputStream()) {
                return parsed(
                        new String(answer.readAllBytes(), StandardCharsets.UTF_8),
                        "it answered something else than JSON");
            }
        } catch (ApiFailure e) {
            throw e;
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private static JsonObject parsed(String text, String problem) throws IOException {
        try {
            return JsonObject.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IOException(problem, e);
        }
    }

    /** Who hears of a watch. */
    interface Watcher {
        /** The server has begun to send. */
        void begin();

        void take(JsonObject event) throws ApiFailure;
    }

    /**
     * Hands out one event after the other, until the server ends the watch.
     *
     * @param silence after which the connection is taken for dead
     */
    void watch(String path, Duration silence, Watcher watcher) throws ApiFailure {
        try {
            HttpURLConnection connection = connect("GET", path, silence);
            requireSuccess(connection);
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                watcher.begin();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    watcher.take(parsed(line, "the watch was cut in the middle of an event"));
                }
            } finally {
                connection.disconnect();
            }
        } catch (ApiFailure e) {
            throw e;
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private HttpURLConnection connect(String method, String path, Duration silence) throws IOException {
        // Directly: a proxy is for the store, and the API server is a service of the cluster.
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address + path).toURL().openConnection(Proxy.NO_PROXY);
        if (connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(account.sockets());
        }
        connection.setConnectTimeout((int) CONNECT.toMillis());
        connection.setReadTimeout((int) silence.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setRequestMethod(method);
        connection.setRequestProperty("Authorization", "Bearer " + account.token());
        connection.setRequestProperty("Accept", "application/json");
        connection.setRequestProperty("User-Agent", userAgent);
        return connection;
    }

    private static void send(HttpURLConnection connection, JsonObject body) throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setFixedLengthStreamingMode(bytes.length);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(bytes);
        }
    }

    private void requireSuccess(HttpURLConnection connection) throws IOException {
        int code = connection.getResponseCode();
        if (code / 100 != 2) {
            throw new ApiFailure(code, "the API server at " + address + " answered " + code + reason(connection));
        }
    }

    private static String reason(HttpURLConnection connection) throws IOException {
        try (InputStream error = connection.getErrorStream()) {
            if (error == null) {
                connection.disconnect();
                return "";
            }
            String text = new String(error.readNBytes(64 << 10), StandardCharsets.UTF_8);
            return ": " + Printable.oneLine(messageOf(text), LONGEST_REASON);
        }
    }

    private static String messageOf(String text) {
        try {
            String message = JsonObject.parse(text).text("message");
            return message.isEmpty() ? text : message;
        } catch (IllegalArgumentException _) {
            return text;
        }
    }

    private ApiFailure unreachable(IOException failure) {
        return new ApiFailure(
                "the API server at " + address + " cannot be reached: "
                        + Printable.oneLine(String.valueOf(failure), LONGEST_REASON),
                failure);
    }
}
