package s3csi.volume;

/** A call cannot be served, for a reason the user can be told. */
public final class VolumeFailure extends RuntimeException {
    private final Cause reason;

    public VolumeFailure(Cause reason) {
        super(reason.message());
        this.reason = reason;
    }

    public VolumeFailure(Cause reason, Throwable source) {
        super(reason.message(), source);
        this.reason = reason;
    }

    public Cause reason() {
        return reason;
    }

    public static VolumeFailure invalid(String field, String problem, String remedy) {
        return new VolumeFailure(new Cause.InvalidField(field, problem, remedy));
    }
}
