package s3csi.fuse;

import s3csi.linux.Errno;

/**
 * A file system as the kernel sees it: nodes with numbers, not paths.
 *
 * <p>Handlers run on a few device threads. One that can answer from memory does so; one that must wait for anything hands
 * over, see {@link Reply}. Any number of handlers run at the same time, also for one node or handle.
 *
 * <p>Names are UTF-8; the session answers EINVAL for others. What a file system does not implement is refused with ENOSYS, which the kernel takes
 * as "never ask again" for most requests. Locks, BMAP, IOCTL, POLL, DAX and STATX are always refused that way.
 *
 * <p>Flags of files ({@code fileFlags}) are those of open(2), see {@link s3csi.linux.FileFlags}.
 */
public interface FileSystem {
    /** The node id of the root directory. */
    long ROOT = 1;

    /**
     * Called once, before any other request is handled: after INIT is settled, or when a session resumes one. The
     * notifications may be used once this has returned.
     */
    default void started(Negotiated negotiated, Notifications notifications) {}

    /** Called once after the last request, on no device thread. Requests that are still unanswered get no answer any more. */
    default void ended() {}

    /** Looks up a name in a directory. */
    void lookup(long parent, String name, EntryReply reply);

    /** The kernel drops {@code count} of the references that entries gave it. No answer; must not wait. */
    default void forget(long node, long count) {}

    /** Attributes of a node. {@code hasHandle} says whether {@code handle} is an open file of it (fstat). */
    void getattr(long node, boolean hasHandle, long handle, AttributesReply reply);

    default void setattr(long node, AttributeChanges changes, AttributesReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void readlink(long node, LinkTargetReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void symlink(long parent, String name, String target, EntryReply reply) {
        reply.error(Errno.EPERM);
    }

    default void link(long node, long newParent, String newName, EntryReply reply) {
        reply.error(Errno.EPERM);
    }

    default void mknod(long parent, String name, int mode, int device, int umask, EntryReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void mkdir(long parent, String name, int mode, int umask, EntryReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void unlink(long parent, String name, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void rmdir(long parent, String name, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Renames; the flags are those of renameat2(2), 0 for a plain rename. */
    default void rename(long parent, String name, long newParent, String newName, int flags, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void open(long node, int fileFlags, OpenReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Creates and opens a file. ENOSYS makes the kernel use mknod and open instead, for good. */
    default void create(long parent, String name, int fileFlags, int mode, int umask, CreateReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Reads up to {@code size} bytes. The one handler that must allocate nothing when memory has the bytes. */
    default void read(long node, long handle, long offset, int size, int fileFlags, DataReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Writes. {@code fromPageCache} says that the kernel wrote back a page, so that handle and caller are guesses. */
    default void write(
            long node,
            long handle,
            long offset,
            WriteData data,
            int fileFlags,
            boolean fromPageCache,
            WriteReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Somebody closes a descriptor of the open file; there may be more of them. Its error reaches close(2). */
    default void flush(long node, long handle, long lockOwner, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void fsync(long node, long handle, boolean dataOnly, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** The last descriptor of the open file is gone. Nobody sees an error. */
    default void release(long node, long handle, int fileFlags, EmptyReply reply) {
        reply.done();
    }

    default void opendir(long node, int fileFlags, OpenReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Lists names from an offset on that an earlier answer gave, 0 at first. */
    default void readdir(long node, long handle, long offset, DirectoryReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void readdirplus(long node, long handle, long offset, DirectoryPlusReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void releasedir(long node, long handle, EmptyReply reply) {
        reply.done();
    }

    default void fsyncdir(long node, long handle, boolean dataOnly, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void statfs(long node, StatisticsReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Asked only on mounts without {@code default_permissions}. */
    default void access(long node, int mask, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void setxattr(long node, String name, byte[] value, int flags, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void getxattr(long node, String name, int size, ExtendedAttributeReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void listxattr(long node, int size, ExtendedAttributeReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void removexattr(long node, String name, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    default void fallocate(long node, long handle, long offset, long length, int mode, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Finds data or a hole, by the {@code whence} of lseek(2). */
    default void lseek(long node, long handle, long offset, int whence, OffsetReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Copies between two open files of this mount. */
    default void copyFileRange(
            long node,
            long handle,
            long offset,
            long toNode,
            long toHandle,
            long toOffset,
            long length,
            WriteReply reply) {
        reply.error(Errno.ENOSYS);
    }

    /** Everything of the file system is to be made durable. */
    default void syncfs(long node, EmptyReply reply) {
        reply.error(Errno.ENOSYS);
    }
}
