package s3csi.testbed.semantics;

import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3Server;

/** As users with a private CA have it. */
final class FioOverTlsTest extends FioContract {
    private final PrivateCa authority = PrivateCa.create();

    @Override
    S3Server startServer() {
        return MinioServer.startInMemoryWithTls(authority);
    }

    @Override
    String preparation() {
        return trusting(authority);
    }
}
