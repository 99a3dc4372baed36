package s3csi.testbed.provisioning;

import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;

final class ProvisioningOnVersityTest extends ProvisioningContract {
    @Override
    S3Server startServer() {
        return VersityServer.start();
    }
}
