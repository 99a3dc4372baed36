package s3csi.testbed.provisioning;

import s3csi.testbed.s3.MinioServer;
import s3csi.testbed.s3.S3Server;

final class ProvisioningOnMinioTest extends ProvisioningContract {
    @Override
    S3Server startServer() {
        return MinioServer.start();
    }
}
