package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.mounter.command.MountCommand;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreObserver;
import s3csi.s3.testing.ScriptedServer;
import s3csi.volume.EngineTrouble;

/** Where the requests of a mount go: a proxy hears of it, and lets none pass. */
final class StoreFactoryTest {
    @ParameterizedTest
    @CsvSource({
        "'', bucket.s3.us-east-1.amazonaws.com:443",
        "--region=eu-west-1, bucket.s3.eu-west-1.amazonaws.com:443",
        "--force-path-style, s3.us-east-1.amazonaws.com:443",
        "--dual-stack, bucket.s3.dualstack.us-east-1.amazonaws.com:443",
        "--dual-stack --region=eu-west-1, bucket.s3.dualstack.eu-west-1.amazonaws.com:443",
        "--dual-stack --force-path-style, s3.dualstack.us-east-1.amazonaws.com:443",
        "--transfer-acceleration, bucket.s3-accelerate.amazonaws.com:443",
        "--transfer-acceleration --dual-stack, bucket.s3-accelerate.dualstack.amazonaws.com:443",
        "--endpoint-url=https://store.example:9000, store.example:9000"
    })
    void optionsChooseTheAddress(String options, String address) throws Exception {
        try (ScriptedServer proxy = new ScriptedServer((_, reply) -> reply.error(502, "NoWay"))) {
            Map<String, String> environment = new HashMap<>(Map.of(
                    "HTTPS_PROXY", proxy.address().toString(),
                    "AWS_ACCESS_KEY_ID", "id",
                    "AWS_SECRET_ACCESS_KEY", "secret",
                    "AWS_MAX_ATTEMPTS", "1"));

            assertThatExceptionOfType(StartFailure.class)
                    .isThrownBy(() -> StoreFactory.open(config(options, environment), "1.2.3", StoreObserver.SILENT));

            assertThat(proxy.requests())
                    .isNotEmpty()
                    .allSatisfy(request -> assertThat(request.method() + ' ' + request.target())
                            .isEqualTo("CONNECT " + address));
        }
    }

    @Test
    void whatOnlyAwsCouldResolveIsRefusedInWords() {
        assertThatExceptionOfType(StartFailure.class)
                .isThrownBy(() -> StoreFactory.open(
                        config(
                                List.of("arn:aws:s3:us-west-2:123456789012:accesspoint/mine", "/mnt"),
                                Map.of("HOME", "/nowhere")),
                        "1.2.3",
                        StoreObserver.SILENT))
                .withMessageContaining("alias of the access point");
    }

    @Test
    void aBundleThatCannotBeReadIsToldWhereTheStoreSpeaksTls() throws Exception {
        try (ScriptedServer server = new ScriptedServer((_, reply) -> reply.stall())) {
            String address = "https://127.0.0.1:" + server.address().getPort();

            assertThatExceptionOfType(StartFailure.class)
                    .isThrownBy(() -> open(address))
                    .satisfies(
                            failure -> assertThat(failure.trouble()).isEqualTo(EngineTrouble.CERTIFICATE_NOT_TRUSTED))
                    .havingRootCause()
                    .withMessageContaining("/no/such/bundle.pem");
        }
    }

    @Test
    void aBundleIsOfNoInterestWhereTheStoreSpeaksInTheClear() throws Exception {
        try (ScriptedServer server = new ScriptedServer((_, reply) -> reply.answer(
                        200, "", "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"));
                ObjectStore store = open(server.address().toString())) {
            assertThat(store).isNotNull();
        }
    }

    private static ObjectStore open(String address) throws Exception {
        Map<String, String> environment = Map.of(
                "AWS_CA_BUNDLE", "/no/such/bundle.pem",
                "AWS_ENDPOINT_URL", address,
                "AWS_ACCESS_KEY_ID", "id",
                "AWS_SECRET_ACCESS_KEY", "secret");
        return StoreFactory.open(config("", environment), "1.2.3", StoreObserver.SILENT);
    }

    private static MountConfig config(String options, Map<String, String> environment) throws Exception {
        List<String> line = new ArrayList<>(List.of("bucket", "/mnt"));
        Arrays.stream(options.split(" ")).filter(word -> !word.isEmpty()).forEach(line::add);
        return config(line, environment);
    }

    private static MountConfig config(List<String> line, Map<String, String> environment) throws Exception {
        if (MountCommand.parse(line, environment, "1.2.3") instanceof MountCommand.Mount(MountConfig config)) {
            return config;
        }
        throw new AssertionError("not a mount");
    }
}
