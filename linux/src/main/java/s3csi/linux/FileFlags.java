package s3csi.linux;

/** Flags of open(2). The four that differ between the architectures of Linux are looked up. */
public final class FileFlags {
    private static final boolean ARM = "aarch64".equals(System.getProperty("os.arch"));

    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_ACCMODE = 3;
    public static final int O_CREAT = 0100;
    public static final int O_EXCL = 0200;
    public static final int O_NOCTTY = 0400;
    public static final int O_TRUNC = 01000;
    public static final int O_APPEND = 02000;
    public static final int O_NONBLOCK = 04000;
    public static final int O_DSYNC = 010000;
    /** Includes {@link #O_DSYNC}. */
    public static final int O_SYNC = 04010000;

    public static final int O_DIRECT = ARM ? 0200000 : 040000;
    public static final int O_DIRECTORY = ARM ? 040000 : 0200000;
    public static final int O_NOFOLLOW = ARM ? 0100000 : 0400000;
    public static final int O_CLOEXEC = 02000000;
    public static final int O_PATH = 010000000;

    private FileFlags() {}
}
