package s3csi.testbed.provisioning;

import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;

final class ProvisioningOnMinioTest extends ProvisioningContract {
    @Override
    S3Server startServer() {
        return MinioServer.start();
    }
}
