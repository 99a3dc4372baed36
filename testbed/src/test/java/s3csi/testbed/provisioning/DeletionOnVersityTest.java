package s3csi.testbed.provisioning;

import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;

final class DeletionOnVersityTest extends DeletionContract {
    @Override
    S3Server startServer() {
        return VersityServer.start();
    }
}
