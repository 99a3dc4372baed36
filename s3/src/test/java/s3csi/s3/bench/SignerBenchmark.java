package s3csi.s3.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Instant;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.http.RequestHead;
import s3csi.s3.signing.RequestSigner;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Time and heap of one signature of a ranged GET: our signer and that of the AWS SDK. */
public final class SignerBenchmark {
    private static final int WARM_UP = 100_000;
    private static final int MEASURED = 100_000;

    private SignerBenchmark() {}

    public static void main(String[] arguments) {
        RequestSigner own = new RequestSigner("s3");
        Credentials.Keys keys = new Credentials.Keys("AKIAEXAMPLE", "secret");
        measure("own", () -> {
            RequestHead head = new RequestHead("GET", "/bucket/some/key", "")
                    .header("host", "store.example:9000")
                    .header("range", "bytes=0-8388607");
            own.sign(head, keys, "us-east-1", Instant.now(), Checksums.SHA256_OF_NOTHING);
        });
        AwsV4HttpSigner sdk = AwsV4HttpSigner.create();
        AwsCredentialsIdentity identity = AwsCredentialsIdentity.create("AKIAEXAMPLE", "secret");
        measure("sdk", () -> {
            SdkHttpRequest request = SdkHttpRequest.builder()
                    .method(SdkHttpMethod.GET)
                    .uri(URI.create("http://store.example:9000/bucket/some/key"))
                    .putHeader("range", "bytes=0-8388607")
                    .build();
            sdk.sign(signing -> signing.identity(identity)
                    .request(request)
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false));
        });
    }

    private static void measure(String name, Runnable signature) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++) {
            signature.run();
        }
        long bytes = threads.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        for (int i = 0; i < MEASURED; i++) {
            signature.run();
        }
        long nanos = (System.nanoTime() - start) / MEASURED;
        System.out.println(name + ": " + nanos + " ns, " + (threads.getCurrentThreadAllocatedBytes() - bytes) / MEASURED
                + " bytes");
    }
}
