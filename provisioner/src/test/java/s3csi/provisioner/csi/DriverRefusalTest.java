package s3csi.provisioner.csi;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DriverRefusalTest {
    private static DriverRefusal of(Status status) {
        return DriverRefusal.of(status, "/csi/csi.sock");
    }

    /** After these, and only these, the volume may be there all the same. */
    @ParameterizedTest
    @EnumSource(Status.Code.class)
    void whatWasSurelyNotDoneIsFinal(Status.Code code) {
        boolean mayBeThere = switch (code) {
            case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS -> true;
            default -> false;
        };
        assertThat(of(code.toStatus()).isFinal()).isEqualTo(!mayBeThere);
    }

    @Test
    void theWordsOfTheDriverAreTold() {
        assertThat(of(Status.INVALID_ARGUMENT.withDescription("the region is no name")))
                .hasMessage("the region is no name (INVALID_ARGUMENT)");
    }

    @Test
    void aDriverThatIsAwayIsToldAsSuch() {
        assertThat(of(Status.UNAVAILABLE.withDescription("io exception").withCause(new IOException("no such file"))))
                .hasMessageContaining("the driver cannot be reached at /csi/csi.sock")
                .hasMessageContaining("--csi-address");
    }
}
