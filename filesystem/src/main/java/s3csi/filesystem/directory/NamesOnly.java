package s3csi.filesystem.directory;

import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.Inode;
import s3csi.filesystem.inode.InodeTable;
import s3csi.fuse.Attributes;
import s3csi.fuse.DirectoryReply;

/** The answer to a plain listing. It makes no inodes: the kernel takes no reference from it. */
final class NamesOnly implements NameSink {
    /** What FUSE file systems say where they have not given a number yet. */
    static final long UNKNOWN_NUMBER = 0xffff_ffffL;

    private final InodeTable table;
    private final DirectoryInode directory;
    private final DirectoryReply reply;
    private boolean isEmpty = true;

    NamesOnly(InodeTable table, DirectoryInode directory, DirectoryReply reply) {
        this.table = table;
        this.directory = directory;
        this.reply = reply;
    }

    @Override
    public Added add(ListedName name, long nextOffset) {
        if (name instanceof ListedName.Local(String own, Inode inode) && !table.isIn(directory, own, inode)) {
            return Added.GONE;
        }
        boolean hadRoom = switch (name) {
            case ListedName.Dot(String dot, Inode inode) ->
                reply.add(dot, inode.number(), Attributes.DIRECTORY, nextOffset);
            case ListedName.Local(String own, Inode inode) -> reply.add(own, inode.number(), typeOf(inode), nextOffset);
            case ListedName.Remote remote -> {
                long number = table.numberOf(directory, remote.name());
                yield reply.add(remote.name(), number == 0 ? UNKNOWN_NUMBER : number, typeOf(remote), nextOffset);
            }
        };
        isEmpty &= !hadRoom;
        return NameSink.added(hadRoom);
    }

    @Override
    public boolean isEmpty() {
        return isEmpty;
    }

    static int typeOf(ListedName.Remote remote) {
        return remote.isDirectory() ? Attributes.DIRECTORY : Attributes.REGULAR_FILE;
    }

    static int typeOf(Inode inode) {
        return inode instanceof DirectoryInode ? Attributes.DIRECTORY : Attributes.REGULAR_FILE;
    }

    @Override
    public void send() {
        reply.send();
    }
}
