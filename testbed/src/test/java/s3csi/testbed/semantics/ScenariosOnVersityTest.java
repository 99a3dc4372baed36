package s3csi.testbed.semantics;

import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;

final class ScenariosOnVersityTest extends ScenarioContract {
    @Override
    S3Server startServer() {
        return VersityServer.start();
    }
}
