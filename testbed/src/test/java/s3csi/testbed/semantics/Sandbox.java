package s3csi.testbed.semantics;

import java.time.Duration;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A fresh bucket named {@code my-bucket} and a shell for scripts that mount it at {@code /mnt}, just as a user would type them.
 */
final class Sandbox implements AutoCloseable {
    static final String BUCKET = "my-bucket";

    private final S3Client client;
    private final BucketSide bucketSide;
    private final PrivateShell shell;

    Sandbox(S3Server server) {
        this.client = S3Clients.root(server);
        client.createBucket(request -> request.bucket(BUCKET));
        this.bucketSide = BucketSide.start(client);
        this.shell = new PrivateShell(server.endpoint(), server.region(), server.root());
    }

    /** Sees the bucket from outside. */
    S3Client client() {
        return client;
    }

    /** Runs a script of bash to its end; one that takes longer is ended with all it started. */
    PrivateShell.Ran run(String script, Duration deadline) {
        return shell.run(bucketSide.shellFunction() + script, deadline);
    }

    /** The same, for a script that ends at its first command that fails. */
    PrivateShell.Ran runAll(String script, Duration deadline) {
        return run("set -euo pipefail\nexec 2>&1 </dev/null\n" + script, deadline);
    }

    @Override
    public void close() {
        bucketSide.close();
        client.listMultipartUploads(request -> request.bucket(BUCKET))
                .uploads()
                .forEach(upload -> client.abortMultipartUpload(
                        request -> request.bucket(BUCKET).key(upload.key()).uploadId(upload.uploadId())));
        client.listObjectsV2Paginator(request -> request.bucket(BUCKET))
                .contents()
                .forEach(object ->
                        client.deleteObject(request -> request.bucket(BUCKET).key(object.key())));
        client.deleteBucket(request -> request.bucket(BUCKET));
        client.close();
        shell.close();
    }
}
