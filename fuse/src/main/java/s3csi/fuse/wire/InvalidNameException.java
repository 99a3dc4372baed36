package s3csi.fuse.wire;

/** A name in a request that is no UTF-8: no file of ours can have it. */
public final class InvalidNameException extends Exception {
    InvalidNameException() {
        super("a name is not UTF-8");
    }
}
