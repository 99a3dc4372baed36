package s3csi.filesystem;

import s3csi.filesystem.inode.Appearance;
import s3csi.filesystem.inode.InodeLimits;
import s3csi.filesystem.inode.MetadataCaching;
import s3csi.filesystem.write.UploadSettings;

/**
 * What the user chose for one mount.
 *
 * @param prefix only keys that begin with it are shown, without it; empty or ending in a slash
 * @param capacity bytes that statfs shows as the size of the file system; 0 for a size without end
 */
public record FileSystemConfig(
        String prefix,
        Permissions permissions,
        Appearance appearance,
        MetadataCaching caching,
        UploadSettings uploads,
        InodeLimits limits,
        long capacity) {
    private static final int FILE_MODE = 0644;
    private static final int DIRECTORY_MODE = 0755;

    public FileSystemConfig {
        if (!prefix.isEmpty() && !prefix.endsWith("/")) {
            throw new IllegalArgumentException("a prefix must end in a slash, and this one does not: " + prefix);
        }
        if (capacity < 0) {
            throw new IllegalArgumentException("a file system cannot have " + capacity + " bytes");
        }
    }

    /**
     * What the mount allows beyond reading and creating.
     *
     * @param readOnly nothing may be changed at all
     * @param delete files may be removed
     * @param overwrite existing files may be replaced as a whole
     * @param append existing files may be written at their end
     * @param ignoreAttributeChanges chmod, chown and utimes of stored files succeed without effect, instead of EPERM
     */
    public record Permissions(
            boolean readOnly, boolean delete, boolean overwrite, boolean append, boolean ignoreAttributeChanges) {
        public static final Permissions DEFAULTS = new Permissions(false, false, false, false, false);

        public Permissions withDelete() {
            return new Permissions(readOnly, true, overwrite, append, ignoreAttributeChanges);
        }

        public Permissions withOverwrite() {
            return new Permissions(readOnly, delete, true, append, ignoreAttributeChanges);
        }

        public Permissions withAppend() {
            return new Permissions(readOnly, delete, overwrite, true, ignoreAttributeChanges);
        }

        /** Whether a file that exists may be opened for writing at all. */
        boolean changesFiles() {
            return overwrite || append;
        }
    }

    /** What a mount without options does, with files that belong to the given user and group. */
    public static FileSystemConfig defaults(int uid, int gid) {
        return new FileSystemConfig(
                "",
                Permissions.DEFAULTS,
                new Appearance(uid, gid, FILE_MODE, DIRECTORY_MODE),
                MetadataCaching.MINIMAL,
                UploadSettings.DEFAULTS,
                InodeLimits.forHeap(Runtime.getRuntime().maxMemory()),
                0);
    }

    public FileSystemConfig withPrefix(String value) {
        return new FileSystemConfig(value, permissions, appearance, caching, uploads, limits, capacity);
    }

    public FileSystemConfig withPermissions(Permissions value) {
        return new FileSystemConfig(prefix, value, appearance, caching, uploads, limits, capacity);
    }

    public FileSystemConfig withAppearance(Appearance value) {
        return new FileSystemConfig(prefix, permissions, value, caching, uploads, limits, capacity);
    }

    public FileSystemConfig withCaching(MetadataCaching value) {
        return new FileSystemConfig(prefix, permissions, appearance, value, uploads, limits, capacity);
    }

    public FileSystemConfig withUploads(UploadSettings value) {
        return new FileSystemConfig(prefix, permissions, appearance, caching, value, limits, capacity);
    }

    public FileSystemConfig withLimits(InodeLimits value) {
        return new FileSystemConfig(prefix, permissions, appearance, caching, uploads, value, capacity);
    }

    public FileSystemConfig withCapacity(long bytes) {
        return new FileSystemConfig(prefix, permissions, appearance, caching, uploads, limits, bytes);
    }
}
