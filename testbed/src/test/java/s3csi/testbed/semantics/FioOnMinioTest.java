package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import software.amazon.awssdk.core.sync.RequestBody;

final class FioOnMinioTest extends FioContract {
    @Override
    S3Server startServer() {
        return MinioServer.startInMemory();
    }

    /** The check itself is checked. */
    @Test
    void aByteThatChangedInTheStoreIsFound() {
        try (var sandbox = new Sandbox(server())) {
            assertThat(sandbox.runAll(FIO + "mount-s3 my-bucket /mnt >/dev/null\nwrite_files\numount /mnt\n", DEADLINE)
                            .exit())
                    .isZero();
            byte[] bytes = sandbox.client()
                    .getObjectAsBytes(request -> request.bucket(Sandbox.BUCKET).key("large.2.0"))
                    .asByteArray();
            bytes[bytes.length / 2 + 100] ^= 1;
            sandbox.client()
                    .putObject(
                            request -> request.bucket(Sandbox.BUCKET).key("large.2.0"), RequestBody.fromBytes(bytes));

            PrivateShell.Ran ran = sandbox.runAll(FIO + "mount-s3 my-bucket /mnt >/dev/null\nread_files\n", DEADLINE);

            assertThat(ran.output()).contains("verify failed").contains("large.2.0");
            assertThat(ran.exit()).isNotZero();
        }
    }
}
