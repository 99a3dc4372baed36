package s3csi.control;

/** Something is no longer as it was when it was decided about. What is there now has to be looked at. */
public final class Outdated extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Outdated(String what) {
        super(what + " has changed");
    }
}
