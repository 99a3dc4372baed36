package s3csi.volume.mount;

/** Where a Mountpoint Pod has what it is given. */
public final class PodPaths {
    /** The comm directory, see {@link CommFiles}. */
    public static final String COMM = "/comm";

    /** A volume for the cache; only there if the mount shall have one. */
    public static final String CACHE = "/local-cache";

    /** Certificates of private authorities; only there if the cluster has some. */
    public static final String AUTHORITIES = "/etc/ssl/custom-ca";

    private PodPaths() {}
}
