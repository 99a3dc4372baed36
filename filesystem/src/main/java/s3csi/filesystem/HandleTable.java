package s3csi.filesystem;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.inode.NumberSequence;

/**
 * Open files of one kind by the number that the kernel gives back with each request. Finding one takes no lock and allocates
 * nothing, as every READ does it. Numbers of different kinds never meet, and a number is not used twice.
 */
final class HandleTable<H> {
    /** Low bits that tell the kinds apart. */
    private static final int KIND_BITS = 2;

    private static final int FIRST_CAPACITY = 64;

    private final NumberSequence generations;
    private final int kind;
    private volatile AtomicReferenceArray<@Nullable Slot<H>> slots = new AtomicReferenceArray<>(FIRST_CAPACITY);

    // Guarded by this.
    private final List<Integer> free = new ArrayList<>();
    private int used;

    private record Slot<H>(long number, H handle) {}

    /**
     * An empty table.
     *
     * @param generations tell handles apart that have the same place one after the other; tables of all kinds may share them
     * @param kind 0 to 3
     */
    HandleTable(NumberSequence generations, int kind) {
        this.generations = generations;
        this.kind = kind;
    }

    synchronized long add(H handle) {
        int index = free.isEmpty() ? used++ : free.removeLast();
        if (index == slots.length()) {
            grow();
        }
        long number = (generations.next() << 32 | index) << KIND_BITS | kind;
        slots.set(index, new Slot<>(number, handle));
        return number;
    }

    private void grow() {
        AtomicReferenceArray<@Nullable Slot<H>> larger = new AtomicReferenceArray<>(slots.length() * 2);
        for (int i = 0; i < slots.length(); i++) {
            larger.set(i, slots.get(i));
        }
        slots = larger;
    }

    @Nullable
    H find(long number) {
        AtomicReferenceArray<@Nullable Slot<H>> present = slots;
        int index = (int) (number >>> KIND_BITS);
        if (index < 0 || index >= present.length()) {
            return null;
        }
        Slot<H> slot = present.get(index);
        return slot == null || slot.number != number ? null : slot.handle;
    }

    synchronized @Nullable H remove(long number) {
        H handle = find(number);
        if (handle != null) {
            int index = (int) (number >>> KIND_BITS);
            slots.set(index, null);
            free.add(index);
        }
        return handle;
    }

    synchronized List<H> all() {
        List<H> found = new ArrayList<>();
        for (int i = 0; i < used; i++) {
            Slot<H> slot = slots.get(i);
            if (slot != null) {
                found.add(slot.handle);
            }
        }
        return found;
    }
}
