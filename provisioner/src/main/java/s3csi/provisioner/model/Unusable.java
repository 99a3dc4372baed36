package s3csi.provisioner.model;

/** What a claim or its StorageClass says cannot be done, in words for whoever wrote it. */
public final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Unusable(String message) {
        super(message);
    }
}
