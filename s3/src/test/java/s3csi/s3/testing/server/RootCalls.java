package s3csi.s3.testing.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.http.Origin;
import s3csi.s3.http.RequestHead;
import s3csi.s3.signing.RequestSigner;

/** What a test asks a server for in the name of the account that may do everything. */
final class RootCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private RootCalls() {}

    /**
     * Sends a signed PUT; anything but success is an error.
     *
     * @param query in the order of its names
     */
    static void put(S3Server server, String path, String query, byte[] body) {
        URI endpoint = server.endpoint();
        RequestHead head = new RequestHead("PUT", path, query)
                .header("host", Origin.of(endpoint).authority());
        String hash = HexFormat.of().formatHex(Checksums.newDigest("SHA-256").digest(body));
        new RequestSigner("s3")
                .sign(head, server.root(), server.region(), Clock.systemUTC().instant(), hash);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        endpoint.resolve(query.isEmpty() ? path : path + '?' + query))
                .timeout(PATIENCE)
                .PUT(HttpRequest.BodyPublishers.ofByteArray(body));
        for (int i = 0; i < head.headerCount(); i++) {
            // The client says itself whom it speaks to.
            if (!head.headerName(i).equals("host")) {
                request.header(head.headerName(i), head.headerValue(i));
            }
        }
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(server.trust())
                .build()) {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(
                        "%s answers PUT %s with %d: %s".formatted(endpoint, path, answer.statusCode(), answer.body()));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("no answer of %s to PUT %s".formatted(endpoint, path), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + endpoint, interrupted);
        }
    }
}
