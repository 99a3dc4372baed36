package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.testbed.contender.Wanted;
import s3csi.testbed.s3.S3Clients;
import s3csi.testbed.s3.TcpProxy;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A MinIO whose data is in memory, with one bucket, and the test's own way to it past every mount. */
final class BenchStore implements AutoCloseable {
    static final Duration LATENESS = Duration.ofMillis(20);

    private static final String BUCKET = "bench";

    private final MinioServer server;
    private final Optional<Path> caBundle;
    private final TcpProxy late;
    private final S3Client client;
    private final Path spool = Scratch.directoryInMemory("spool");
    private final Set<String> present = new HashSet<>();

    private BenchStore(MinioServer server, Optional<Path> caBundle) {
        this.server = server;
        this.caBundle = caBundle;
        this.late = TcpProxy.before(server.endpoint());
        late.delayRequests(LATENESS);
        this.client = S3Clients.root(server);
        client.createBucket(request -> request.bucket(BUCKET));
    }

    static BenchStore plain() {
        return new BenchStore(MinioServer.startInMemory(), Optional.empty());
    }

    static BenchStore withTls() {
        PrivateCa authority = PrivateCa.create();
        Path bundle = Scratch.directory("authority").resolve("ca.pem");
        try {
            Files.writeString(bundle, authority.certificatePem());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return new BenchStore(MinioServer.startInMemoryWithTls(authority), Optional.of(bundle));
    }

    Wanted wanted(Medium medium, Optional<Duration> metadataTtl) {
        URI endpoint = switch (medium) {
            case PLAIN, TLS -> server.endpoint();
            case LATE -> late.endpoint();
        };
        return new Wanted(endpoint, server.region(), BUCKET, server.root(), spool, metadataTtl, caBundle);
    }

    /** Puts an object, unless it is there from an earlier job. */
    void ensure(String key, Content content) {
        if (present.add(key)) {
            client.putObject(
                    request -> request.bucket(BUCKET).key(key),
                    RequestBody.fromContentProvider(
                            ContentStreamProvider.fromInputStreamSupplier(content::stream),
                            content.size(),
                            "application/octet-stream"));
        }
    }

    /** Puts many objects at once: MinIO unpacks an archive that carries this mark. */
    void ensureUnpacked(Path archive) {
        String name = archive.getFileName().toString();
        if (present.add(name)) {
            client.putObject(
                    request -> request.bucket(BUCKET).key(name).metadata(Map.of("snowball-auto-extract", "true")),
                    RequestBody.fromFile(archive));
        }
    }

    long checksum(String key) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[1 << 20];
        try (InputStream in = client.getObject(request -> request.bucket(BUCKET).key(key))) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                crc.update(buffer, 0, count);
            }
        }
        return crc.getValue();
    }

    /** How many objects below a prefix have exactly this size. */
    long count(String prefix, long size) {
        return client.listObjectsV2Paginator(request -> request.bucket(BUCKET).prefix(prefix)).contents().stream()
                .map(S3Object::size)
                .filter(found -> found == size)
                .count();
    }

    void delete(String key) {
        client.deleteObject(request -> request.bucket(BUCKET).key(key));
    }

    @Override
    public void close() {
        client.close();
        late.close();
        server.close();
        Scratch.delete(spool);
    }
}
