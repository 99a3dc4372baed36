package s3csi.mounter.metrics.otlp;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import s3csi.s3.http.HttpClient;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.http.Origin;
import s3csi.s3.http.ProxySettings;
import s3csi.s3.http.RequestHead;
import s3csi.s3.http.Timeouts;
import s3csi.s3.http.Trust;

/** A collector at an address. Each message has a connection of its own: between two of them, nothing is held. */
public final class HttpCollector implements Collector {
    /** What OpenTelemetry's own clients wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int FIRST_SUCCESS = 200;
    private static final int LAST_SUCCESS = 299;

    private final URI address;
    private final Trust trust;
    private final ProxySettings proxies;
    private final String userAgent;

    public HttpCollector(URI address, Trust trust, ProxySettings proxies, String userAgent) {
        this.address = address;
        this.trust = trust;
        this.proxies = proxies;
        this.userAgent = userAgent;
    }

    @Override
    public void take(byte[] request) throws IOException {
        Origin origin = Origin.of(address);
        RequestHead head = new RequestHead("POST", address.getRawPath(), "")
                .header("host", origin.authority())
                .header("user-agent", userAgent)
                .header("content-type", "application/x-protobuf")
                .header("content-length", Integer.toString(request.length));
        try (HttpClient client = new HttpClient(origin, trust, proxies, Timeouts.DEFAULTS, 1);
                HttpExchange exchange = client.send(head, request, PATIENCE)) {
            exchange.abort();
            int status = exchange.head().status();
            if (status < FIRST_SUCCESS || status > LAST_SUCCESS) {
                throw new IOException("it answered with status " + status);
            }
        }
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
