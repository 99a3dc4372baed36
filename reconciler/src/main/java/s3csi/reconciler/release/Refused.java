package s3csi.reconciler.release;

/** What was asked for is not done, for a reason that a person has to see to. The message says what, why, and what to do. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
        super(message);
    }
}
