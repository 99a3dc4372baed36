package s3csi.testbed.semantics;

import s3csi.testbed.s3.MinioServer;
import s3csi.testbed.s3.S3Server;

final class ScenariosOnMinioTest extends ScenarioContract {
    @Override
    S3Server startServer() {
        return MinioServer.startInMemory();
    }
}
