package s3csi.s3.client;

import org.junit.jupiter.api.Tag;
import s3csi.s3.testing.server.S3ProxyServer;
import s3csi.s3.testing.server.S3Server;

@Tag("s3")
class HttpStoreOverS3ProxyTest extends HttpStoreContract {
    @Override
    protected S3Server startServer() {
        return S3ProxyServer.start();
    }
}
