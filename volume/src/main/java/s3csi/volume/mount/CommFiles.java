package s3csi.volume.mount;

/** What is in the directory through which the node service and a mounter talk. */
public final class CommFiles {
    /** Where the mounter listens for the mount message. */
    public static final String SOCKET = "mount.sock";
    /** Written by the mounter when the mount fails, see {@link EngineReport}. */
    public static final String ERROR = "mount.err";
    /** Written by the node service: when the file system ends now, that is no fault. */
    public static final String EXIT = "mount.exit";
    /** Directory of the profile files. */
    public static final String CREDENTIALS = "credentials";

    private CommFiles() {}
}
