package s3csi.s3.client;

import org.junit.jupiter.api.Tag;
import s3csi.s3.testing.S3Server;

@Tag("s3")
class HttpStoreOverVersityTest extends HttpStoreContract {
    @Override
    protected S3Server startServer() {
        return S3Server.versitygw();
    }
}
