package s3csi.driver.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.EngineTrouble;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;

class StatusCodesTest {
    @ParameterizedTest
    @CsvSource({
        "NO_SUCH_BUCKET, NOT_FOUND",
        "ACCESS_DENIED, PERMISSION_DENIED",
        "WRONG_KEYS, UNAUTHENTICATED",
        "NO_CREDENTIALS, UNAUTHENTICATED",
        "CLOCK_SKEW, FAILED_PRECONDITION",
        "WRONG_REGION, INVALID_ARGUMENT",
        "STORE_BUSY, UNAVAILABLE",
        "STORE_REFUSED, INTERNAL",
        "ENDPOINT_UNREACHABLE, UNAVAILABLE",
        "CERTIFICATE_NOT_TRUSTED, FAILED_PRECONDITION",
        "INVALID_FIELD, INVALID_ARGUMENT",
        "ENGINE_FAILED, INTERNAL"
    })
    void whatAnEngineFindsOutHasTheCodeAsIfTheDriverHadFoundIt(EngineTrouble trouble, Status.Code code) {
        Status status = StatusCodes.statusOf(new VolumeFailure(
                new NodeCause.EngineFailed("data", trouble, "so it is", AuthenticationSource.DRIVER, "the log")));
        assertThat(status.getCode()).isEqualTo(code);
        assertThat(status.getDescription()).contains("data", "so it is");
    }
}
