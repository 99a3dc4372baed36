package s3csi.driver.bucket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.BucketName;
import s3csi.volume.Region;
import s3csi.volume.StoreKeys;

/** A store with another idea of the time: on plain sockets, because the JDK's server writes the Date header itself. */
class ClockSkewTest {
    private static final Duration TOLERATED = Duration.ofMinutes(15);
    private static final DateTimeFormatter SIGNED =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final List<String> answers = new CopyOnWriteArrayList<>();
    private ServerSocket store;
    private volatile Duration ahead = Duration.ZERO;

    @BeforeEach
    void listen() throws IOException {
        store = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!store.isClosed()) {
                try (Socket client = store.accept()) {
                    answer(client);
                } catch (IOException closed) {
                    // The test is over, or the client went away; the loop's condition tells which.
                }
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void answer(Socket client) throws IOException {
        Instant now = Instant.now().plus(ahead);
        Instant signed = Instant.EPOCH;
        BufferedReader request = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
        for (String line = request.readLine(); line != null && !line.isEmpty(); line = request.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("x-amz-date: ")) {
                signed = SIGNED.parse(line.substring("x-amz-date: ".length()), Instant::from);
            }
        }
        boolean fits = Duration.between(signed, now).abs().compareTo(TOLERATED) < 0;
        answers.add(fits ? "200" : "403");
        String body = fits
                ? "<ListBucketResult/>"
                : "<Error><Code>RequestTimeTooSkewed</Code><Message>clocks differ</Message></Error>";
        String head = "HTTP/1.1 %s%nDate: %s%nConnection: close%nContent-Length: %d%n%n"
                .formatted(
                        fits ? "200 OK" : "403 Forbidden",
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atZone(ZoneOffset.UTC)),
                        body.length());
        client.getOutputStream().write((head.replace("\n", "\r\n") + body).getBytes(US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(ints = {-20, 20})
    void theTimeOfTheStoreIsLearntFromItsRefusal(int minutes) {
        ahead = Duration.ofMinutes(minutes);
        BucketStore buckets = new RegionalClients(
                        new S3Endpoint(URI.create("http://127.0.0.1:" + store.getLocalPort()), Optional.empty()))
                .of(
                        new Account(
                                new StoreKeys("id", "key", Optional.empty()),
                                AuthenticationSource.SECRET,
                                Region.DEFAULT),
                        new BucketMetrics(new PrometheusRegistry()));

        assertThat(buckets.exists(new BucketName("some-bucket"))).isTrue();
        assertThat(answers).containsExactly("403", "200");

        assertThat(buckets.exists(new BucketName("some-bucket"))).isTrue();
        assertThat(answers).as("once learnt, it is kept").containsExactly("403", "200", "200");
    }
}
