package s3csi.testbed.semantics;

import s3csi.testbed.s3.S3Server;
import s3csi.testbed.s3.VersityServer;

final class FioOnVersityTest extends FioContract {
    @Override
    S3Server startServer() {
        return VersityServer.start();
    }
}
