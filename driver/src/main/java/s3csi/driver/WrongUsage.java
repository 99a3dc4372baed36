package s3csi.driver;

/** A flag has a value that cannot be one, whatever the machine is like. Scripts know it by exit code 2. */
final class WrongUsage extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    WrongUsage(String message) {
        super(message);
    }
}
