package s3csi.provisioner.csi;

import io.grpc.Status;

/** The driver did not do what it was asked for, or nobody knows whether it did. */
public final class DriverRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean isFinal;

    private DriverRefusal(String message, boolean isFinal, Throwable cause) {
        super(message, cause);
        this.isFinal = isFinal;
    }

    static DriverRefusal of(Status status, String socket) {
        String code = status.getCode().name();
        String words = status.getDescription() == null ? "no reason was given" : status.getDescription();
        return new DriverRefusal(
                isOfTheDriver(status)
                        ? words + " (" + code + ")"
                        : "the driver cannot be reached at " + socket + ": " + words + " (" + code
                                + "). See to it that it runs and that --csi-address is its --endpoint",
                isFinal(status.getCode()),
                status.asRuntimeException());
    }

    /** A connection that could not be made has an exception behind it; what the driver itself says has none. */
    private static boolean isOfTheDriver(Status status) {
        return status.getCause() == null;
    }

    /**
     * Whether what was asked for has surely not been done, and will not be. An answer that was lost with its connection, or a call that goes
     * on, may make a volume all the same.
     */
    private static boolean isFinal(Status.Code code) {
        return switch (code) {
            case OK, CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED, UNKNOWN, INTERNAL, DATA_LOSS -> false;
            case INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    RESOURCE_EXHAUSTED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED,
                    UNAUTHENTICATED -> true;
        };
    }

    public boolean isFinal() {
        return isFinal;
    }
}
