package s3csi.testbed.mounter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/** During an upgrade, a node of 2.x meets Mountpoint Pods of this release. What it does is written out here, byte by byte. */
@Tag("engine")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class OldNodeTest {
    private static final String BUCKET = "old-node";
    private static final String PROFILE = "a4509011-bd2a-4f37-b1b0-05d715087852-s3-csi-volume";

    private static byte[] message(Path keys, MinioServer store) {
        return """
                {"bucketName":"%1$s",\
                "args":["--allow-delete","--allow-root","--force-path-style",\
                "--user-agent-prefix=s3-csi-driver/2.1.1 credential-source#driver k8s/v1.33.1"],\
                "env":["AWS_CONFIG_FILE=%2$s/%3$s-config","AWS_ENDPOINT_URL=%4$s","AWS_PROFILE=%3$s","AWS_REGION=%5$s",\
                "AWS_SHARED_CREDENTIALS_FILE=%2$s/%3$s-credentials"]}\
                """.formatted(BUCKET, keys, PROFILE, store.endpoint(), store.region())
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void writeKeys(Path keys, MinioServer store) throws Exception {
        Files.writeString(keys.resolve(PROFILE + "-config"), "[profile " + PROFILE + "]\n");
        Files.writeString(
                keys.resolve(PROFILE + "-credentials"),
                "[%s]\naws_access_key_id=%s\naws_secret_access_key=%s\n"
                        .formatted(
                                PROFILE,
                                store.root().accessKeyId(),
                                store.root().secretAccessKey()));
    }

    @Test
    void aMountThatANodeOf2xHandsOverIsServedAndEndsWhenThatNodeUnmountsIt() throws Exception {
        try (MinioServer store = MinioServer.start();
                S3Client witness = S3Clients.root(store);
                MounterProgram mounter = MounterProgram.start()) {
            witness.createBucket(request -> request.bucket(BUCKET));
            Path keys = Files.createDirectory(mounter.comm().resolve("credentials"));
            writeKeys(keys, store);
            mounter.mount(message(keys, store));
            Files.writeString(mounter.source().resolve("note"), "from a node of 2.x");
            assertThat(witness.getObjectAsBytes(
                                    request -> request.bucket(BUCKET).key("note"))
                            .asUtf8String())
                    .isEqualTo("from a node of 2.x");
            Files.delete(mounter.source().resolve("note"));
            mounter.wantEnd();
            mounter.unmount();
            assertThat(mounter.exitCode()).as(mounter::log).isZero();
            assertThat(mounter.comm().resolve("mount.err")).doesNotExist();
        }
    }
}
