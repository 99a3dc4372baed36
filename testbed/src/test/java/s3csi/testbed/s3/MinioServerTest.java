package s3csi.testbed.s3;

import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;

final class MinioServerTest extends S3ServerContract {
    @Override
    S3Server startServer() {
        return MinioServer.start();
    }
}
