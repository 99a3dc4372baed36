package s3csi.testbed.provisioning;

import s3csi.testbed.s3.S3Server;
import s3csi.testbed.s3.VersityServer;

final class ProvisioningOnVersityTest extends ProvisioningContract {
    @Override
    S3Server startServer() {
        return VersityServer.start();
    }
}
