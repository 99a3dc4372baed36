package s3csi.testbed.semantics;

import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;

final class SemanticsPageOnVersityTest extends SemanticsPageContract {
    SemanticsPageOnVersityTest() {
        super("the Versity gateway");
    }

    @Override
    S3Server startServer() {
        return VersityServer.start();
    }
}
