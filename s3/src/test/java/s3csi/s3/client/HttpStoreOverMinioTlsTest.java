package s3csi.s3.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.UploadChecksum;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3Server;

/** Over TLS, with a private certificate, unsigned payloads and the checksum of whole objects. */
@Tag("s3")
class HttpStoreOverMinioTlsTest extends HttpStoreContract {
    private final PrivateCa authority = PrivateCa.create();

    @TempDir
    private static Path directory;

    @Override
    protected S3Server startServer() {
        return MinioServer.startInMemoryWithTls(authority);
    }

    @Override
    protected HttpStoreOptions options(S3Server running) throws IOException {
        Path bundle = Files.writeString(directory.resolve("ca.pem"), authority.certificatePem());
        return super.options(running)
                .trust(Trust.bundle(bundle, Trust.Bundle.REPLACES))
                .uploadChecksum(UploadChecksum.CRC64NVME);
    }
}
