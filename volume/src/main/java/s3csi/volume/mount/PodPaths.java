package s3csi.volume.mount;

/** Where a Mountpoint Pod has what it is given. */
public final class PodPaths {
    /** The comm directory, see {@link CommFiles}. */
    public static final String COMM = "/comm";

    /** A volume for the cache; only there if the mount shall have one. */
    public static final String CACHE = "/local-cache";

    /** The name of that volume in the pod. */
    public static final String CACHE_VOLUME = "local-cache";

    /** Where engines note the uploads that they begin: as long-lived as the pod, whose engine may be started again and again. */
    public static final String UPLOAD_NOTES = COMM + "/uploads";

    /** Certificates of private authorities; only there if the cluster has some. */
    public static final String AUTHORITIES = "/etc/ssl/custom-ca";

    private PodPaths() {}
}
