package s3csi.kubernetes;

import s3csi.volume.Driver;

/** The annotations of Mountpoint Pods. Unlike labels they hold texts of any form and length. */
public final class Annotations {
    /** Set to {@link #YES} when the last workload has left: the node unmounts, and the engine ends. */
    public static final String NEEDS_UNMOUNT = Driver.NAME + "/needs-unmount";

    /** Set to {@link #YES} by administrators: the Mountpoint Pod goes on serving and takes no new workloads. */
    public static final String NO_NEW_WORKLOAD = Driver.NAME + "/no-new-workload";

    /** The PersistentVolume that is mounted. */
    public static final String VOLUME_NAME = Driver.NAME + "/volume-name";

    /** Its {@code volumeHandle}. */
    public static final String VOLUME_ID = Driver.NAME + "/volume-id";

    /** The UID of the PersistentVolume: one that was deleted and made anew under its name is another, maybe with another bucket. */
    public static final String VOLUME_UID = Driver.NAME + "/volume-uid";

    /**
     * {@link #YES} when the PersistentVolume names a {@code nodePublishSecretRef}, {@link #NO} when it names none. The node cannot tell an
     * empty Secret from none, and the driver's own keys may serve a volume only in the second case.
     */
    public static final String NAMES_PUBLISH_SECRET = Driver.NAME + "/names-publish-secret";

    public static final String YES = "true";
    public static final String NO = "false";

    private Annotations() {}
}
