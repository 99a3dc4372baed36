package s3csi.filesystem.inode;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.BufferPool;

/**
 * All inodes by number and by name. Those in use are objects; beyond a number of these, what nothing here is busy with is put to rest:
 * written down in memory off the heap, and made an object again when somebody asks for it. So the same number may have had several
 * objects; whoever kept an older one gets to the present one by {@link #present}. Guarded by the lock of the table.
 *
 * <p>An inode is kept while the kernel refers to it, a handle pins it, it has children, or the store does not know it yet. The parent
 * of an object is an object.
 */
final class Inodes {
    /** Looked at for each inode that is used, so that there is room for it. */
    private static final int STEPS = 16;

    private final DirectoryInode root;
    private final InodeIndex.ByNumber numbers = new InodeIndex.ByNumber();
    private final RestingInodes resting;
    private final int mostAwake;
    private int hand;
    private boolean isShort;
    private boolean isClosed;

    Inodes(DirectoryInode root, BufferPool pool, int mostAwake) {
        this.root = root;
        this.resting = new RestingInodes(pool);
        this.mostAwake = mostAwake;
        numbers.add(root);
    }

    int size() {
        return numbers.size() + resting.size();
    }

    int awake() {
        return numbers.size();
    }

    // ---- finding

    @Nullable
    Inode find(long number) {
        Inode inode = numbers.find(number);
        return inode == null ? wake(resting.find(number)) : inode;
    }

    @Nullable
    Inode child(DirectoryInode parent, String name) {
        Inode inode = parent.children.find(name);
        return inode == null && parent.restingChildren > 0 ? wake(resting.find(parent.number(), name)) : inode;
    }

    /** The number of a child; 0 if there is none. Leaves it at rest. */
    long numberOf(DirectoryInode parent, String name) {
        Inode inode = parent.children.find(name);
        if (inode != null) {
            return inode.number();
        }
        int record = parent.restingChildren > 0 ? resting.find(parent.number(), name) : 0;
        return record == 0 ? 0 : resting.number(record);
    }

    /** The object that stands for the inode now; an inode that is not known any more stays what it was. */
    FileInode present(FileInode inode) {
        return inode.atRest && find(inode.number()) instanceof FileInode now ? now : inode;
    }

    DirectoryInode present(DirectoryInode inode) {
        return inode.atRest && find(inode.number()) instanceof DirectoryInode now ? now : inode;
    }

    Inode present(Inode inode) {
        return switch (inode) {
            case FileInode file -> present(file);
            case DirectoryInode directory -> present(directory);
        };
    }

    // ---- adding and removing

    void attach(Inode inode) {
        DirectoryInode parent = inode.parent();
        if (parent != null) {
            parent.children.add(inode);
        }
        inode.attached = true;
        numbers.add(inode);
        if (inode.isLocal()) {
            Locality.countLocal(parent, 1);
        }
    }

    /** Attaches one that was detached and is still known by its number. */
    void attachAgain(Inode inode) {
        numbers.remove(inode);
        attach(inode);
    }

    void detach(@Nullable Inode inode) {
        if (inode != null && inode.attached && inode.parent() != null) {
            inode.attached = false;
            inode.parent().children.remove(inode);
            if (inode.isLocal()) {
                Locality.countLocal(inode.parent(), -1);
            }
            dropIfUnused(inode);
            dropIfUnused(inode.parent());
        }
    }

    void dropIfUnused(Inode inode) {
        if (isNeeded(inode)) {
            return;
        }
        if (inode instanceof DirectoryInode directory) {
            Locality.setMadeHere(directory, false);
        }
        numbers.remove(inode);
        DirectoryInode parent = inode.parent();
        if (parent == null) {
            return;
        }
        if (inode.attached) {
            inode.attached = false;
            parent.children.remove(inode);
        }
        if (inode instanceof FileInode file && file.renumbered) {
            file.renumbered = false;
            parent.pins--;
        }
        dropIfUnused(parent);
    }

    private boolean isNeeded(Inode inode) {
        return inode == root || inode.lookups > 0 || inode.pins > 0 || inode.isKept();
    }

    /** The kernel has so many references less. */
    void forget(long number, long count) {
        Inode inode = numbers.find(number);
        if (inode != null) {
            inode.lookups = Math.max(0, inode.lookups - count);
            dropIfUnused(inode);
            return;
        }
        int record = resting.find(number);
        if (record != 0) {
            resting.setLookups(record, (int) Math.max(0, resting.lookups(record) - count));
            dropIfUnused(record);
        }
    }

    private void dropIfUnused(int record) {
        int at = record;
        while (at != 0 && resting.lookups(at) == 0 && resting.children(at) == 0) {
            long parent = resting.parent(at);
            resting.remove(at);
            if (numbers.find(parent) instanceof DirectoryInode directory) {
                directory.restingChildren--;
                dropIfUnused(directory);
                return;
            }
            at = resting.find(parent);
            if (at != 0) {
                resting.addChildren(at, -1);
            }
        }
    }

    // ---- resting

    private @Nullable Inode wake(int record) {
        if (record == 0) {
            return null;
        }
        if (!(find(resting.parent(record)) instanceof DirectoryInode parent)) {
            throw new IllegalStateException("inode " + resting.number(record) + " rests in a directory that is gone");
        }
        Inode inode = resting.take(record, parent);
        parent.restingChildren--;
        parent.children.add(inode);
        numbers.add(inode);
        return inode;
    }

    /** Makes room for what will be added or woken. Nobody may have an inode in hand, except by a pin. */
    void restSome() {
        int rested = 0;
        for (int i = 0; i < STEPS && rested < 2 && !isClosed && numbers.size() > mostAwake; i++) {
            hand = numbers.after(hand);
            Inode inode = numbers.at(hand);
            if (inode != null && mayRest(inode)) {
                if (!rest(inode)) {
                    isShort = true;
                    return;
                }
                rested++;
            }
        }
    }

    private boolean mayRest(Inode inode) {
        boolean isIdle = inode.attached
                && inode.pins == 0
                && inode.lookups > 0
                && inode.lookups < Integer.MAX_VALUE
                && !inode.isLocal();
        return isIdle
                && switch (inode) {
                    case FileInode file -> file.version != null && !file.lent;
                    case DirectoryInode directory ->
                        directory != root && !directory.removed && directory.children.size() == 0;
                };
    }

    private boolean rest(Inode inode) {
        DirectoryInode parent = inode.parent();
        if (parent == null || !resting.add(inode, parent.number())) {
            return false;
        }
        numbers.remove(inode);
        parent.children.remove(inode);
        parent.restingChildren++;
        inode.atRest = true;
        return true;
    }

    // ---- forgetting

    /** Whether memory was missing to put an inode to rest. */
    boolean isShort() {
        return isShort;
    }

    /** Tries that once more, for a while; says whether it worked and there are more. */
    boolean restMore() {
        isShort = false;
        int before = numbers.size();
        for (int i = 0; i < 64 && !isShort; i++) {
            restSome();
        }
        return !isShort && numbers.size() > mostAwake && numbers.size() < before;
    }

    /** Bytes of those at rest that the kernel was not told to forget. */
    long untoldBytes() {
        return resting.untoldBytes();
    }

    /** Gives the memory back; nothing rests any more. */
    void clear() {
        isClosed = true;
        resting.clear();
    }

    /** So many inodes that the kernel should forget, those that rest for longest first; fewer if it was told about all others. */
    List<KernelMemory.Known> toForget(int most) {
        List<KernelMemory.Known> found = new ArrayList<>(most);
        int record = resting.offer();
        while (record != 0) {
            // A directory goes after what is in it.
            if (resting.children(record) == 0) {
                resting.setTold(record, true);
                found.add(new KernelMemory.Known(
                        resting.number(record),
                        resting.parent(record),
                        resting.name(record),
                        resting.isDirectory(record)));
            }
            record = found.size() < most ? resting.offer() : 0;
        }
        if (found.isEmpty()) {
            resting.offerAgain();
        }
        return found;
    }
}
