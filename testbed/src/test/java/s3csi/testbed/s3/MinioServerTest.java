package s3csi.testbed.s3;

final class MinioServerTest extends S3ServerContract {
    @Override
    S3Server startServer() {
        return MinioServer.start();
    }
}
