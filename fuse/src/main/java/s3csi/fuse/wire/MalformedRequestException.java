package s3csi.fuse.wire;

/** A request that does not keep to the protocol: too short for what it must hold, or out of place. */
public final class MalformedRequestException extends Exception {
    public MalformedRequestException(String fault) {
        super(fault);
    }
}
