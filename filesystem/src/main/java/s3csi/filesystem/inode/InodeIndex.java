package s3csi.filesystem.inode;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Inodes in one array with linear probing, by something that each inode carries itself. A map of boxed keys would cost ten times as
 * much for each of the perhaps 100,000 files of a directory.
 */
abstract sealed class InodeIndex {
    private static final @Nullable Inode[] EMPTY = {null};

    private @Nullable Inode[] slots = EMPTY;
    private int size;

    static final class ByNumber extends InodeIndex {
        @Override
        int hash(Inode inode) {
            return Long.hashCode(inode.number());
        }

        @Nullable
        Inode find(long number) {
            for (int i = start(Long.hashCode(number)); ; i = after(i)) {
                Inode inode = at(i);
                if (inode == null || inode.number() == number) {
                    return inode;
                }
            }
        }
    }

    static final class ByName extends InodeIndex {
        @Override
        int hash(Inode inode) {
            return inode.name().hashCode();
        }

        @Nullable
        Inode find(String name) {
            for (int i = start(name.hashCode()); ; i = after(i)) {
                Inode inode = at(i);
                if (inode == null || inode.name().equals(name)) {
                    return inode;
                }
            }
        }
    }

    abstract int hash(Inode inode);

    final int start(int hash) {
        int spread = hash * 0x9E3779B9;
        return (spread ^ (spread >>> 16)) & (slots.length - 1);
    }

    final int after(int i) {
        return (i + 1) & (slots.length - 1);
    }

    final @Nullable Inode at(int i) {
        return slots[i];
    }

    final int size() {
        return size;
    }

    /** Adds an inode whose number or name is not there yet. */
    final void add(Inode inode) {
        if ((size + 1) * 4 > slots.length * 3) {
            resize(Math.max(4, slots.length * 2));
        }
        place(inode);
        size++;
    }

    private void place(Inode inode) {
        int i = start(hash(inode));
        while (slots[i] != null) {
            i = after(i);
        }
        slots[i] = inode;
    }

    /** Removes the very inode, if it is there. */
    final void remove(Inode inode) {
        int i = start(hash(inode));
        while (slots[i] != inode) {
            if (slots[i] == null) {
                return;
            }
            i = after(i);
        }
        slots[i] = null;
        size--;
        closeGap(i);
        if (size == 0) {
            slots = EMPTY;
        } else if (slots.length > 16 && size * 8 < slots.length) {
            resize(slots.length / 4);
        }
    }

    /** Moves those up that would not be found behind an empty slot. */
    private void closeGap(int gap) {
        for (int i = after(gap); ; i = after(i)) {
            Inode inode = slots[i];
            if (inode == null) {
                return;
            }
            int home = start(hash(inode));
            boolean reachable = gap <= i ? gap < home && home <= i : gap < home || home <= i;
            if (!reachable) {
                slots[gap] = inode;
                slots[i] = null;
                gap = i;
            }
        }
    }

    private void resize(int length) {
        @Nullable Inode[] old = slots;
        slots = new @Nullable Inode[length];
        for (Inode inode : old) {
            if (inode != null) {
                place(inode);
            }
        }
    }

    final void forEach(Consumer<Inode> action) {
        for (Inode inode : Arrays.copyOf(slots, slots.length)) {
            if (inode != null) {
                action.accept(inode);
            }
        }
    }
}
