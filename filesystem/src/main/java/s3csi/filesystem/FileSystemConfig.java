package s3csi.filesystem;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.inode.Appearance;
import s3csi.filesystem.inode.HeapLimits;
import s3csi.filesystem.inode.MetadataCaching;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.read.ReadSettings;
import s3csi.filesystem.write.UploadSettings;
import s3csi.filesystem.write.Uploads;

/**
 * What the user chose for one mount.
 *
 * @param prefix only keys that begin with it are shown, without it; empty or ending in a slash
 * @param cache of object data on a local disk; null for none
 * @param memory bytes for data and names
 * @param capacity bytes that statfs shows as the size of the file system; 0 for a size without end
 */
public record FileSystemConfig(
        String prefix,
        Permissions permissions,
        Appearance appearance,
        MetadataCaching caching,
        ReadSettings reads,
        UploadSettings uploads,
        @Nullable CacheSettings cache,
        HeapLimits limits,
        long memory,
        long capacity) {
    /** With less memory no file could be read and written at the same time. */
    public static final long LEAST_MEMORY = BufferPool.MINIMUM_BUDGET;

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
                ReadSettings.DEFAULT,
                UploadSettings.DEFAULTS,
                null,
                HeapLimits.forHeap(Runtime.getRuntime().maxMemory()),
                LEAST_MEMORY,
                0);
    }

    /** The largest part that can be read with so much memory: it must fit more than once, or a single reader would stand still between two. */
    public static long largestReadPart(long memory) {
        return BufferPool.largestReservation(Priority.FOREGROUND_READ, memory);
    }

    /** The largest part that can be written with so much memory: it is there as a whole until the store has it. */
    public static long largestWritePart(long memory) {
        return Uploads.largestPart(memory);
    }

    public FileSystemConfig withPrefix(String value) {
        return new FileSystemConfig(
                value, permissions, appearance, caching, reads, uploads, cache, limits, memory, capacity);
    }

    public FileSystemConfig withPermissions(Permissions value) {
        return new FileSystemConfig(
                prefix, value, appearance, caching, reads, uploads, cache, limits, memory, capacity);
    }

    public FileSystemConfig withAppearance(Appearance value) {
        return new FileSystemConfig(
                prefix, permissions, value, caching, reads, uploads, cache, limits, memory, capacity);
    }

    public FileSystemConfig withCaching(MetadataCaching value) {
        return new FileSystemConfig(
                prefix, permissions, appearance, value, reads, uploads, cache, limits, memory, capacity);
    }

    public FileSystemConfig withReads(ReadSettings value) {
        return new FileSystemConfig(
                prefix, permissions, appearance, caching, value, uploads, cache, limits, memory, capacity);
    }

    public FileSystemConfig withUploads(UploadSettings value) {
        return new FileSystemConfig(
                prefix, permissions, appearance, caching, reads, value, cache, limits, memory, capacity);
    }

    public FileSystemConfig withCache(@Nullable CacheSettings value) {
        return new FileSystemConfig(
                prefix, permissions, appearance, caching, reads, uploads, value, limits, memory, capacity);
    }

    public FileSystemConfig withLimits(HeapLimits value) {
        return new FileSystemConfig(
                prefix, permissions, appearance, caching, reads, uploads, cache, value, memory, capacity);
    }

    public FileSystemConfig withMemory(long bytes) {
        return new FileSystemConfig(
                prefix, permissions, appearance, caching, reads, uploads, cache, limits, bytes, capacity);
    }

    public FileSystemConfig withCapacity(long bytes) {
        return new FileSystemConfig(
                prefix, permissions, appearance, caching, reads, uploads, cache, limits, memory, bytes);
    }
}
