package s3csi.testbed.provisioning;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import s3csi.csi.v1.ControllerGrpc.ControllerBlockingStub;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.Volume;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.csi.SecretDirectory;
import s3csi.testbed.s3.S3Clients;
import s3csi.testbed.s3.TcpProxy;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A server, the driver as built in front of it, a network between the two that can be broken, and a witness who looks at the
 * server past all of it. One of each for a test class; every test uses volumes of its own.
 */
@Tag("s3")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProvisioningStage {
    final S3Server server = startServer();
    final TcpProxy network = TcpProxy.before(server.endpoint());
    final Credentials.Keys driverKeys = driverKeys(server);
    final SecretDirectory driverSecret =
            new SecretDirectory(Scratch.directory("secret"), SecretDirectory.content(driverKeys));
    final DriverProgram driver = startDriver(Map.of());
    final S3Client witness = S3Clients.root(server);

    abstract S3Server startServer();

    /** The keys the driver is given as its own. */
    Credentials.Keys driverKeys(S3Server store) {
        return store.root();
    }

    /** One more driver; it knows the store by the network that can be broken. */
    final DriverProgram startDriver(Map<String, String> changes, String... options) {
        Map<String, String> environment = new HashMap<>(DriverProgram.environment(server));
        environment.keySet().removeAll(List.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));
        environment.put("AWS_ENDPOINT_URL", network.endpoint().toString());
        environment.put("DRIVER_CREDENTIALS_DIR", driverSecret.path().toString());
        environment.putAll(changes);
        return DriverProgram.start(environment, Scratch.directory("driver"), options);
    }

    @AfterEach
    void repair() {
        network.pass();
        driverSecret.rotate(driverKeys);
    }

    @AfterAll
    void close() {
        witness.close();
        driver.close();
        network.close();
        server.close();
    }

    final ControllerBlockingStub controller() {
        return driver.channel().controller();
    }

    final Volume create(CreateVolumeRequest.Builder request) {
        return controller().createVolume(request.build()).getVolume();
    }

    final void delete(String id) {
        controller().deleteVolume(Requests.delete(id).build());
    }

    final List<String> buckets() {
        return witness.listBuckets().buckets().stream().map(Bucket::name).toList();
    }

    final Map<String, String> tagsOf(String bucket) {
        Map<String, String> tags = new HashMap<>();
        try {
            witness.getBucketTagging(r -> r.bucket(bucket)).tagSet().forEach(tag -> tags.put(tag.key(), tag.value()));
        } catch (S3Exception answer) {
            if (!answer.awsErrorDetails().errorCode().startsWith("NoSuchTagSet")) {
                throw answer;
            }
        }
        return tags;
    }

    final void tag(String bucket, String key, String value) {
        var only = software.amazon.awssdk.services.s3.model.Tag.builder()
                .key(key)
                .value(value)
                .build();
        witness.putBucketTagging(r -> r.bucket(bucket).tagging(t -> t.tagSet(only)));
    }

    final void putObject(String bucket, String key) {
        witness.putObject(r -> r.bucket(bucket).key(key), RequestBody.fromString("data"));
    }
}
