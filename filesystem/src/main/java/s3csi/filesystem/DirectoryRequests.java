package s3csi.filesystem;

import s3csi.filesystem.directory.Directories;
import s3csi.filesystem.directory.DirectoryHandle;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.InodeTable;
import s3csi.filesystem.inode.NumberSequence;
import s3csi.fuse.DirectoryPlusReply;
import s3csi.fuse.DirectoryReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.OpenReply;

/** Requests on open directories. */
final class DirectoryRequests {
    private final InodeTable table;
    private final Directories directories;
    private final HandleTable<DirectoryHandle> open;

    DirectoryRequests(InodeTable table, Directories directories, NumberSequence handles) {
        this.table = table;
        this.directories = directories;
        this.open = new HandleTable<>(handles, 2);
    }

    void opendir(long node, OpenReply reply) throws FileException {
        DirectoryInode directory = table.directory(node);
        if (table.isRemoved(directory)) {
            throw new FileException(new FileFailure.NotFound(), directory.key() + " was removed");
        }
        reply.opened(open.add(new DirectoryHandle(directories, directory)), 0);
    }

    void readdir(long handle, long offset, DirectoryReply reply) throws FileException {
        DirectoryHandle directory = find(handle);
        if (!directory.tryList(offset, reply)) {
            Answering.later(reply, own -> directory.list(offset, own));
        }
    }

    void readdirplus(long handle, long offset, DirectoryPlusReply reply) throws FileException {
        DirectoryHandle directory = find(handle);
        if (!directory.tryList(offset, reply)) {
            Answering.later(reply, own -> directory.list(offset, own));
        }
    }

    void releasedir(long handle, EmptyReply reply) throws FileException {
        DirectoryHandle directory = open.remove(handle);
        if (directory == null) {
            throw wrongHandle();
        }
        directory.close();
        reply.done();
    }

    private DirectoryHandle find(long handle) throws FileException {
        DirectoryHandle directory = open.find(handle);
        if (directory == null) {
            throw wrongHandle();
        }
        return directory;
    }

    private static FileException wrongHandle() {
        return new FileException(new FileFailure.NotSupported(), "the directory is not open");
    }

    void close() {
        open.all().forEach(DirectoryHandle::close);
    }
}
