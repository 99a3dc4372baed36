package s3csi.testbed.provisioning;

import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;

final class StoreTroubleOnMinioTest extends StoreTroubleContract {
    @Override
    S3Server startServer() {
        return MinioServer.start();
    }
}
