package s3csi.filesystem;

import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.inode.FileInode;
import s3csi.filesystem.inode.Inode;
import s3csi.filesystem.inode.InodeTable;
import s3csi.filesystem.inode.Lookups;
import s3csi.filesystem.write.WriteHandle;
import s3csi.fuse.AttributeChanges;
import s3csi.fuse.AttributesReply;

/** Requests for attributes, and to change them. */
final class AttributeRequests {
    private final InodeTable table;
    private final Lookups lookups;
    private final FileRequests files;
    private final FileSystemConfig.Permissions permissions;
    private final InstantSource clock;

    AttributeRequests(
            InodeTable table,
            Lookups lookups,
            FileRequests files,
            FileSystemConfig.Permissions permissions,
            InstantSource clock) {
        this.table = table;
        this.lookups = lookups;
        this.files = files;
        this.permissions = permissions;
        this.clock = clock;
    }

    void getattr(long node, AttributesReply reply) throws FileException {
        Inode inode = table.get(node);
        InodeTable.Known known = table.attributesIfFresh(inode);
        if (known != null) {
            reply.attributes(known.attributes(), known.validNanos());
            return;
        }
        Answering.later(reply, own -> {
            lookups.revalidate(inode);
            answer(inode, own);
        });
    }

    private void answer(Inode inode, AttributesReply reply) {
        InodeTable.Known known = table.attributes(inode);
        reply.attributes(known.attributes(), known.validNanos());
    }

    void setattr(long node, AttributeChanges changes, AttributesReply reply) throws FileException {
        Inode inode = table.get(node);
        if (permissions.readOnly()) {
            throw new FileException(new FileFailure.ReadOnly(), inode.key() + " is on a read-only mount");
        }
        if (changes.changes(AttributeChanges.SIZE)) {
            Answering.later(reply, own -> {
                truncate(table.file(node), changes.size());
                // Whatever else there is, the kernel has added: nobody asked for it.
                table.setTimes(inode, accessed(changes), modified(changes));
                answer(inode, own);
            });
        } else {
            change(inode, changes);
            answer(inode, reply);
        }
    }

    /** Files change their size only while they are written. */
    private void truncate(FileInode inode, long size) throws FileException, InterruptedException {
        WriteHandle writer = files.writer(inode);
        if (writer != null && inode.number() == writer.inode().number()) {
            writer.truncate(size);
        } else if (!table.isBeingWritten(inode)) {
            throw new FileException(
                    new FileFailure.NotPermitted(),
                    inode.key() + " is stored and cannot be truncated"
                            + (permissions.overwrite() ? "" : "; mount with --allow-overwrite to replace files"));
        } else if (size != 0) {
            throw new FileException(
                    new FileFailure.NotSupported(), inode.key() + " is new and can only be written from its beginning");
        }
    }

    /** Permissions and owners are the same for all files; times last until a file is stored. */
    private void change(Inode inode, AttributeChanges changes) throws FileException {
        if ((changes.valid() & ~AttributeChanges.HANDLE) == 0) {
            return;
        }
        boolean isLocal = table.setTimes(inode, accessed(changes), modified(changes));
        if (!isLocal && !permissions.ignoreAttributeChanges()) {
            throw new FileException(
                    new FileFailure.NotPermitted(),
                    inode.key() + " is stored: its owner, permissions and times cannot be changed; mount with"
                            + " --attribute-changes=ignore where programs insist on it");
        }
    }

    private @Nullable Instant accessed(AttributeChanges changes) {
        if (!changes.changes(AttributeChanges.ACCESSED)) {
            return null;
        }
        return changes.changes(AttributeChanges.ACCESSED_NOW) ? clock.instant() : changes.accessed();
    }

    private @Nullable Instant modified(AttributeChanges changes) {
        if (!changes.changes(AttributeChanges.MODIFIED)) {
            return null;
        }
        return changes.changes(AttributeChanges.MODIFIED_NOW) ? clock.instant() : changes.modified();
    }
}
