package s3csi.testbed.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls that must fail. */
public final class Refusals {
    private static final int LONGEST_MESSAGE = 1000;

    private Refusals() {}

    /** Returns the message of the refusal, which must be one line that a person can read. */
    public static String refused(Status.Code code, ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call must be refused with %s", code).isNotNull();
        assertThat(refusal.getStatus().getCode())
                .as(String.valueOf(refusal.getMessage()))
                .isEqualTo(code);
        return readable(refusal);
    }

    public static String readable(StatusRuntimeException refusal) {
        String message = String.valueOf(refusal.getStatus().getDescription());
        assertThat(message)
                .isNotBlank()
                .hasSizeLessThan(LONGEST_MESSAGE)
                .doesNotContainPattern("[\\p{Cntrl}\\p{Cf}\u2028\u2029]");
        return message;
    }
}
