package s3csi.volume;

/** The name under which clusters know the driver; it is part of every PersistentVolume, label and path. */
public final class Driver {
    public static final String NAME = "s3.csi.scality.com";

    private Driver() {}
}
