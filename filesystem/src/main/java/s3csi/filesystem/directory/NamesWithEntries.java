package s3csi.filesystem.directory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.Inode;
import s3csi.filesystem.inode.InodeTable;
import s3csi.filesystem.inode.ShownNames;
import s3csi.fuse.DirectoryPlusReply;
import s3csi.fuse.Entry;

/**
 * The answer to a listing with attributes: each name becomes an inode to which the kernel holds a reference. Where there are too
 * many of those already, names go without, and so do names that are too long to be looked up: the kernel would let in by what it
 * keeps of the listing whom a lookup refuses.
 */
final class NamesWithEntries implements NameSink {
    private final InodeTable table;
    private final DirectoryInode directory;
    private final DirectoryPlusReply reply;
    private final boolean namesOnly;

    /** References counted for the kernel, which it has only once the answer is sent. */
    private final List<Long> counted = new ArrayList<>();

    private boolean isEmpty = true;

    NamesWithEntries(InodeTable table, DirectoryInode directory, DirectoryPlusReply reply) {
        this.table = table;
        this.directory = directory;
        this.reply = reply;
        this.namesOnly = table.isCrowded();
    }

    @Override
    public Added add(ListedName name, long nextOffset) {
        Added added = switch (name) {
            case ListedName.Dot(String dot, Inode inode) -> NameSink.added(addDot(dot, inode, nextOffset));
            case ListedName.Local(String own, Inode inode) ->
                addEntry(own, table.enterIfIn(directory, own, inode), nextOffset);
            case ListedName.Remote remote -> addRemote(remote, nextOffset);
        };
        isEmpty &= added != Added.YES;
        return added;
    }

    /** No reference: the kernel does not count these two. */
    private boolean addDot(String dot, Inode inode, long nextOffset) {
        InodeTable.Known known = table.attributes(inode);
        long valid = known.validNanos();
        return reply.add(dot, new Entry(inode.number(), 0, known.attributes(), valid, valid), nextOffset);
    }

    private Added addRemote(ListedName.Remote remote, long nextOffset) {
        if (namesOnly || remote.found() == null || ShownNames.isTooLong(remote.name())) {
            long number = table.numberOf(directory, remote.name());
            return NameSink.added(reply.addName(
                    remote.name(),
                    number == 0 ? NamesOnly.UNKNOWN_NUMBER : number,
                    NamesOnly.typeOf(remote),
                    nextOffset));
        }
        Entry entry = table.enter(directory, remote.name(), remote.found(), remote.askedAt());
        return addEntry(remote.name(), entry, nextOffset);
    }

    private Added addEntry(String name, @Nullable Entry entry, long nextOffset) {
        if (entry == null) {
            return Added.GONE;
        }
        if (!reply.add(name, entry, nextOffset)) {
            table.forget(entry.node(), 1);
            return Added.NO_ROOM;
        }
        counted.add(entry.node());
        return Added.YES;
    }

    @Override
    public boolean isEmpty() {
        return isEmpty;
    }

    /** References are counted before the answer is sent, because a FORGET may overtake whatever follows it. */
    @Override
    public void send() {
        if (!reply.send()) {
            counted.forEach(number -> table.forget(number, 1));
        }
    }
}
