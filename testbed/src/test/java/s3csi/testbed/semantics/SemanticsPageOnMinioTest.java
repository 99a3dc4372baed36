package s3csi.testbed.semantics;

import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;

final class SemanticsPageOnMinioTest extends SemanticsPageContract {
    SemanticsPageOnMinioTest() {
        super("MinIO");
    }

    @Override
    S3Server startServer() {
        return MinioServer.startInMemory();
    }
}
