package s3csi.testbed.provisioning;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.DriverProgram;

/** A word that stands wherever a secret can stand must not come out anywhere. */
final class CanaryTest extends ProvisioningStage {
    private static final String CANARY = "canary";

    /** As keys of AWS look, with the characters that no name may have. */
    private static final String SECRET = CANARY + "/wJalrXUtnFEMI+K7MDENG=";

    /** These name the volume; people need to read them, and whoever puts a secret into a name has published it. */
    private static final Set<String> NAMES =
            Set.of("CreateVolume.name", "DeleteVolume.volume_id", "ValidateVolumeCapabilities.volume_id");

    /** Values that are no secret in any StorageClass; a message that does not quote them would help nobody. */
    private static final Set<String> SETTINGS = Set.of(
            "parameters[bucketNamePrefix]",
            "parameters[region]",
            "volume_context[bucketName]",
            "volume_context[region]",
            "volume_context[authenticationSource]");

    private final DriverProgram talkative = startDriver(Map.of(), "--v=6");
    private final List<String> messages = new ArrayList<>();

    @AfterAll
    void stop() {
        talkative.close();
    }

    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--v=0", "--v=6"})
    void noCallShowsWhatStandsInItsFields(String verbosity) throws IOException {
        DriverProgram watched = watched(verbosity);
        Rpc.all().forEach(rpc -> {
            for (StringField field : StringField.of(rpc.request())) {
                if (!NAMES.contains(rpc + "." + field) && !SETTINGS.contains(field.toString()) && isNoKey(field)) {
                    call(watched, rpc, field.put(valid(rpc), SECRET));
                }
            }
        });
        assertThatNothingShows(watched);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--v=0", "--v=6"})
    void keysOfASecretAreNotShownThoughTheStoreRefusesThem(String verbosity) throws IOException {
        Map<String, String> secrets =
                Map.of("access_key_id", CANARY + "ID", "secret_access_key", SECRET, "session_token", SECRET + "token");
        DriverProgram watched = watched(verbosity);
        Rpc.all()
                .filter(rpc -> rpc.request().findFieldByName("secrets") != null)
                .forEach(rpc -> {
                    Message.Builder request = valid(rpc).toBuilder();
                    for (StringField field : StringField.of(rpc.request())) {
                        String name = field.toString();
                        if (name.startsWith("secrets[")
                                && secrets.containsKey(field.key().orElse(""))) {
                            request.mergeFrom(field.put(
                                    rpc.empty(),
                                    secrets.getOrDefault(field.key().orElse(""), "")));
                        }
                    }
                    call(watched, rpc, request.build());
                });
        assertThatNothingShows(watched);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--v=0", "--v=6"})
    void keysOfTheDriverAreNotShownWhetherTheyWorkOrNot(String verbosity) throws IOException {
        DriverProgram watched = watched(verbosity);
        call(
                watched,
                Rpc.named("CreateVolume"),
                Requests.create("pvc-canary-driver").build());
        assertThat(everythingShown(watched).filter(text -> text.contains(driverKeys.secretAccessKey())))
                .isEmpty();

        driverSecret.rotate(new Credentials.Keys(CANARY + "ID", SECRET));
        call(
                watched,
                Rpc.named("CreateVolume"),
                Requests.create("pvc-canary-driver").build());
        driverSecret.rotate(
                Map.of("access_key_id", CANARY + " " + CANARY, "secret_access_key", SECRET + "\n" + SECRET));
        call(
                watched,
                Rpc.named("CreateVolume"),
                Requests.create("pvc-canary-driver").build());

        assertThat(messages).hasSizeGreaterThanOrEqualTo(2);
        assertThatNothingShows(watched);
        assertThat(read(watched, "environ")).doesNotContain(CANARY, driverKeys.secretAccessKey());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--v=0", "--v=6"})
    void keysInTheEnvironmentAreNotShown(String verbosity) throws IOException {
        Map<String, String> keys = Map.of(
                "DRIVER_CREDENTIALS_DIR",
                "",
                "AWS_ACCESS_KEY_ID",
                CANARY + "ID",
                "AWS_SECRET_ACCESS_KEY",
                SECRET,
                "AWS_SESSION_TOKEN",
                SECRET + "token");
        try (DriverProgram watched = startDriver(keys, verbosity)) {
            call(
                    watched,
                    Rpc.named("CreateVolume"),
                    Requests.create("pvc-canary-environment").build());
            assertThatNothingShows(watched);
        }
    }

    private DriverProgram watched(String verbosity) {
        return verbosity.equals("--v=6") ? talkative : driver;
    }

    private static boolean isNoKey(StringField field) {
        return !field.toString().endsWith("<key>");
    }

    private static Message valid(Rpc rpc) {
        return switch (rpc.toString()) {
            case "CreateVolume" -> Requests.create("pvc-canary").build();
            case "DeleteVolume" ->
                Requests.delete("csi-s3-00000000-0000-4000-8000-000000000000").build();
            case "ValidateVolumeCapabilities" ->
                Requests.validate("some-bucket").build();
            default -> rpc.empty();
        };
    }

    private void call(DriverProgram watched, Rpc rpc, Message request) {
        try {
            rpc.call(watched.channel(), request);
        } catch (StatusRuntimeException refusal) {
            messages.add(String.valueOf(refusal.getMessage()));
        }
    }

    private void assertThatNothingShows(DriverProgram watched) throws IOException {
        // gRPC would show the frames of a call in hexadecimal digits.
        List<String> forms = Stream.of(CANARY + "ID", CANARY + "/")
                .flatMap(text -> Stream.of(text, HexFormat.of().formatHex(text.getBytes(UTF_8))))
                .toList();
        assertThat(everythingShown(watched).filter(text -> forms.stream().anyMatch(text::contains)))
                .isEmpty();
    }

    private Stream<String> everythingShown(DriverProgram watched) throws IOException {
        assertThat(watched.log()).contains("the driver is ready");
        assertThat(watched.metrics()).contains("s3csi_rpc_seconds_count");
        return Stream.of(
                        messages.stream(),
                        watched.log().lines(),
                        watched.metrics().lines(),
                        Stream.of(read(watched, "cmdline")))
                .flatMap(lines -> lines);
    }

    private static String read(DriverProgram watched, String file) throws IOException {
        return new String(
                Files.readAllBytes(
                        Path.of("/proc", String.valueOf(watched.process().pid()), file)),
                UTF_8);
    }
}
