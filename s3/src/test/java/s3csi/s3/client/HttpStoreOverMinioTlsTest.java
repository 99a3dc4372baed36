package s3csi.s3.client;

import org.junit.jupiter.api.Tag;
import s3csi.s3.UploadChecksum;
import s3csi.s3.testing.S3Server;
import s3csi.s3.testing.TestCertificate;

/** Over TLS, with a private certificate, unsigned payloads and the checksum of whole objects. */
@Tag("s3")
class HttpStoreOverMinioTlsTest extends HttpStoreContract {
    @Override
    protected S3Server startServer() {
        return S3Server.minio(TestCertificate.forLoopback());
    }

    @Override
    protected HttpStoreOptions options(S3Server running) {
        return super.options(running).uploadChecksum(UploadChecksum.CRC64NVME);
    }
}
