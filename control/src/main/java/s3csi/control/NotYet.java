package s3csi.control;

/** Something could not be done, people have been told why, and it is to be tried again. */
public final class NotYet extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotYet(String message) {
        super(message);
    }
}
