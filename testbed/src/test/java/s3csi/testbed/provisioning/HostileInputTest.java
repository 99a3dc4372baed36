package s3csi.testbed.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import s3csi.csi.v1.CreateVolumeResponse;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.Refusals;
import s3csi.testbed.csi.SecretDirectory;

/** Every place for text in every call, with text that wants to be a path, an option, a second line or a flood. */
final class HostileInputTest extends ProvisioningStage {
    private static final String LARGE = "x".repeat(64 << 10);

    /** Text that can be shown; whether it is accepted depends on what the field is for. */
    private static final List<String> PRINTABLE = List.of("../../etc/passwd", "a,b;c", "--flag");

    /** Text that no field may hold that is read at all. */
    private static final List<String> NEVER = List.of("a\nb", "a\u0000b", LARGE, "a\u202eb");

    private static final Set<String> OFFERED = Set.of("CreateVolume", "DeleteVolume", "ValidateVolumeCapabilities");

    private static final Set<String> ASKING =
            Set.of("GetPluginInfo", "GetPluginCapabilities", "Probe", "ControllerGetCapabilities");

    private String bucket = "";

    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    @BeforeAll
    void makeAVolume() {
        bucket = create(Requests.create("pvc-target")).getVolumeId();
    }

    static Stream<Rpc> everyCall() {
        return Rpc.all();
    }

    @ParameterizedTest
    @MethodSource("everyCall")
    void hostileTextIsRefusedOrHarmless(Rpc rpc) {
        List<String> before = buckets();
        SoftAssertions.assertSoftly(all -> {
            for (StringField field : StringField.of(rpc.request())) {
                for (String text :
                        Stream.concat(PRINTABLE.stream(), NEVER.stream()).toList()) {
                    all.assertThat(outcome(rpc, field.put(valid(rpc, field), text)))
                            .as("%s with %s = %.20s", rpc, field, text)
                            .isEqualTo(expected(rpc, field.toString(), text));
                }
            }
        });
        assertThat(buckets()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("everyCall")
    void anEmptyRequestIsRefusedWhereSomethingIsNeeded(Rpc rpc) {
        assertThat(outcome(rpc, rpc.empty()))
                .isEqualTo(
                        OFFERED.contains(rpc.toString())
                                ? Code.INVALID_ARGUMENT
                                : ASKING.contains(rpc.toString()) ? Code.OK : Code.UNIMPLEMENTED);
    }

    @Test
    void aFloodIsRefusedAndTheDriverServesOn() {
        Message flood = Requests.create("x".repeat(3 << 20)).build();

        assertThat(codeOf(() -> Rpc.named("CreateVolume").call(driver.channel(), flood)))
                .isEqualTo(Code.RESOURCE_EXHAUSTED);
        assertThat(driver.health()).isEqualTo(200);
    }

    @Test
    void bytesThatAreNoTextAreRefusedAndTheDriverServesOn() {
        // gRPC answers this itself, before the driver sees a request.
        byte[] nameThatIsNoUtf8 = {0x0a, 0x02, (byte) 0xc3, 0x28};

        assertThat(codeOf(() -> Rpc.named("CreateVolume").callWith(nameThatIsNoUtf8, driver.channel())))
                .isEqualTo(Code.UNKNOWN);
        assertThat(driver.health()).isEqualTo(200);
    }

    private static Code codeOf(ThrowingCallable call) {
        return Status.fromThrowable(catchThrowable(call)).getCode();
    }

    @AfterAll
    void theLogStayedInOrder() {
        assertThat(JsonLines.parse(driver.log()))
                .allSatisfy(line -> assertThat(line)
                        .containsKey("msg")
                        .allSatisfy((key, value) -> assertThat(value).hasSizeLessThan(4096)));
    }

    /** What a good request looks like before it is spoilt. Secrets are added only where a key of theirs is spoilt. */
    private Message valid(Rpc rpc, StringField spoilt) {
        boolean isKey =
                spoilt.toString().startsWith("secrets[") && !spoilt.toString().contains(StringField.NO_MEANING);
        Map<String, String> secrets = isKey ? SecretDirectory.content(driverKeys) : Map.of();
        return switch (rpc.toString()) {
            case "CreateVolume" ->
                Requests.create("pvc-hostile").putAllSecrets(secrets).build();
            case "DeleteVolume" ->
                Requests.delete("csi-s3-00000000-0000-4000-8000-000000000000")
                        .putAllSecrets(secrets)
                        .build();
            case "ValidateVolumeCapabilities" ->
                Requests.validate(bucket).putAllSecrets(secrets).build();
            default -> rpc.empty();
        };
    }

    private static Code expected(Rpc rpc, String field, String text) {
        boolean printable = PRINTABLE.contains(text);
        if (text.equals(LARGE)) {
            // More than CSI lets any field have, whatever the call is for.
            return Code.INVALID_ARGUMENT;
        }
        if (field.startsWith("secrets") && OFFERED.contains(rpc.toString())) {
            return ofSecret(field, text);
        }
        return switch (rpc.toString()) {
            case "CreateVolume" -> expectedOfCreate(field, printable);
            // An id that this driver did not give: its bucket is left alone.
            case "DeleteVolume" -> printable ? Code.OK : Code.INVALID_ARGUMENT;
            case "ValidateVolumeCapabilities" -> expectedOfValidate(field, printable);
            default -> Code.UNIMPLEMENTED;
        };
    }

    private static Code expectedOfCreate(String field, boolean printable) {
        if (field.equals("name")) {
            // The bucket's name is made from a hash of it.
            return printable ? Code.OK : Code.INVALID_ARGUMENT;
        }
        // Mount options are the nodes' business, and a bucket has no place.
        boolean unread = field.startsWith("volume_capabilities.") || field.startsWith("accessibility_requirements.");
        return unread ? Code.OK : Code.INVALID_ARGUMENT;
    }

    private static Code expectedOfValidate(String field, boolean printable) {
        return switch (field) {
            case "volume_id" -> printable ? Code.NOT_FOUND : Code.INVALID_ARGUMENT;
            case "volume_context[bucketName]" -> Code.NOT_FOUND;
            default -> Code.OK;
        };
    }

    /** Stores choose what their keys look like: where a text could be a key, only the store can say that it is none. */
    private static Code ofSecret(String field, String text) {
        boolean couldBeAKey = switch (field) {
            case "secrets[access_key_id]" -> PRINTABLE.contains(text) && !text.contains(",");
            case "secrets[secret_access_key]", "secrets[session_token]" -> PRINTABLE.contains(text);
            default -> false;
        };
        return couldBeAKey ? Code.UNAUTHENTICATED : Code.INVALID_ARGUMENT;
    }

    private Code outcome(Rpc rpc, Message request) {
        try {
            Message answer = rpc.call(driver.channel(), request);
            if (answer instanceof CreateVolumeResponse made) {
                delete(made.getVolume().getVolumeId());
            }
            return Code.OK;
        } catch (StatusRuntimeException refusal) {
            Code code = refusal.getStatus().getCode();
            if (code != Code.UNIMPLEMENTED) {
                assertThat(Refusals.readable(refusal)).endsWith(".");
            }
            return code;
        }
    }
}
