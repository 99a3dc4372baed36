package s3csi.filesystem.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Small records off the heap, in buffers of the pool. A buffer holds records of one size; one whose records are all free goes back to the
 * pool. A record is known by a number above 0, which is valid until it is freed. Its first eight bytes must not be 0 while it is
 * used. Not for several threads at once.
 */
public final class Records {
    /** Sizes are multiples of this. */
    private static final int GRAIN = 8;

    private static final int GRAINS = BufferPool.BUFFER_SIZE / GRAIN;

    /** The longest record, in grains. */
    private static final int MOST_GRAINS = 1024;

    private static final int NONE = -1;

    private final BufferPool pool;

    private @Nullable Slab[] slabs = new @Nullable Slab[16];
    private int slabCount;

    /** For each size the first slab with a free record, or NONE. */
    private final int[] partial = new int[MOST_GRAINS + 1];

    /** A buffer of records of one size, in a list with others that have room. */
    private static final class Slab {
        final Buffer buffer;
        final MemorySegment memory;
        final int grains;
        int used;
        /** Offset of the first free record plus one; 0 for none. A free record has that of the next one behind its first eight bytes. */
        int free;
        /** Records from here on were never used. */
        int fresh;

        int before = NONE;
        int after = NONE;

        Slab(Buffer buffer, int grains) {
            this.buffer = buffer;
            this.memory = buffer.memory();
            this.grains = grains;
        }

        int size() {
            return grains * GRAIN;
        }

        boolean isFull() {
            return free == 0 && fresh + size() > BufferPool.BUFFER_SIZE;
        }
    }

    public Records(BufferPool pool) {
        this.pool = pool;
        Arrays.fill(partial, NONE);
    }

    /** Whether there is a free record of so many bytes in the memory that the records have. */
    public boolean hasRoom(int bytes) {
        return partial[grains(bytes)] != NONE;
    }

    private static int grains(int bytes) {
        return Math.max(2, (bytes + GRAIN - 1) / GRAIN);
    }

    /** A record of so many bytes, whose content is undefined; 0 if there is no memory for it. */
    public int allocate(int bytes) {
        int grains = grains(bytes);
        if (grains > MOST_GRAINS) {
            throw new IllegalArgumentException("a record cannot have " + bytes + " bytes");
        }
        int at = partial[grains];
        if (at == NONE) {
            at = addSlab(grains);
            if (at == NONE) {
                return 0;
            }
        }
        Slab slab = slab(at);
        int offset;
        if (slab.free != 0) {
            offset = slab.free - 1;
            slab.free = slab.memory.get(JAVA_INT, offset + 8L);
        } else {
            offset = slab.fresh;
            slab.fresh += slab.size();
        }
        slab.used++;
        if (slab.isFull()) {
            unlink(at);
        }
        return at * GRAINS + offset / GRAIN + 1;
    }

    public void free(int record) {
        int at = (record - 1) / GRAINS;
        Slab slab = slab(at);
        int offset = (int) offset(record);
        boolean wasFull = slab.isFull();
        slab.memory.set(JAVA_LONG, offset, 0);
        slab.memory.set(JAVA_INT, offset + 8L, slab.free);
        slab.free = offset + 1;
        slab.used--;
        if (wasFull) {
            link(at);
        }
        if (slab.used == 0) {
            unlink(at);
            slabs[at] = null;
            slabCount--;
            slab.buffer.release();
        }
    }

    /** Where a record lies: in this memory, at {@link #offset}. */
    public MemorySegment memory(int record) {
        return slab((record - 1) / GRAINS).memory;
    }

    /** Bytes that the record takes. */
    public int size(int record) {
        return slab((record - 1) / GRAINS).size();
    }

    public long offset(int record) {
        return (long) ((record - 1) % GRAINS) * GRAIN;
    }

    // ---- fields, by their place in the record

    public int byteAt(int record, int field) {
        return memory(record).get(JAVA_BYTE, offset(record) + field) & 0xff;
    }

    public void setByte(int record, int field, int value) {
        memory(record).set(JAVA_BYTE, offset(record) + field, (byte) value);
    }

    public int intAt(int record, int field) {
        return memory(record).get(JAVA_INT, offset(record) + field);
    }

    public void setInt(int record, int field, int value) {
        memory(record).set(JAVA_INT, offset(record) + field, value);
    }

    public long longAt(int record, int field) {
        return memory(record).get(JAVA_LONG, offset(record) + field);
    }

    public void setLong(int record, int field, long value) {
        memory(record).set(JAVA_LONG, offset(record) + field, value);
    }

    // ---- all of them

    /** Bytes of the pool that the records have. */
    public long bytes() {
        return (long) slabCount * BufferPool.BUFFER_SIZE;
    }

    /**
     * The next record in use behind that one, in the order of memory; 0 behind the last. Begin with 0. The record may have been freed
     * meanwhile, and others, of another size, may be in its place.
     */
    public int next(int record) {
        int at = record == 0 ? 0 : (record - 1) / GRAINS;
        int offset = NONE;
        Slab slab = at < slabs.length ? slabs[at] : null;
        if (record != 0 && slab != null) {
            offset = ((int) offset(record) / slab.size() + 1) * slab.size();
        }
        while (at < slabs.length) {
            slab = slabs[at];
            if (slab != null) {
                for (int i = Math.max(0, offset); i < slab.fresh; i += slab.size()) {
                    if (slab.memory.get(JAVA_LONG, i) != 0) {
                        return at * GRAINS + i / GRAIN + 1;
                    }
                }
            }
            at++;
            offset = NONE;
        }
        return 0;
    }

    /** Gives all memory back. */
    public void clear() {
        for (int i = 0; i < slabs.length; i++) {
            Slab slab = slabs[i];
            if (slab != null) {
                slab.buffer.release();
                slabs[i] = null;
            }
        }
        slabCount = 0;
        Arrays.fill(partial, NONE);
    }

    private int addSlab(int grains) {
        Reservation reservation = pool.tryReserve(Priority.NAMES, 1);
        if (reservation == null) {
            return NONE;
        }
        int at = 0;
        while (at < slabs.length && slabs[at] != null) {
            at++;
        }
        if (at == slabs.length) {
            slabs = Arrays.copyOf(slabs, slabs.length * 2);
        }
        slabs[at] = new Slab(reservation.take(), grains);
        slabCount++;
        link(at);
        return at;
    }

    private Slab slab(int at) {
        Slab slab = slabs[at];
        if (slab == null) {
            throw new IllegalStateException("a record was used after it was freed");
        }
        return slab;
    }

    private void link(int at) {
        Slab slab = slab(at);
        int first = partial[slab.grains];
        slab.before = NONE;
        slab.after = first;
        if (first != NONE) {
            slab(first).before = at;
        }
        partial[slab.grains] = at;
    }

    private void unlink(int at) {
        Slab slab = slab(at);
        if (slab.before == NONE) {
            if (partial[slab.grains] == at) {
                partial[slab.grains] = slab.after;
            }
        } else {
            slab(slab.before).after = slab.after;
        }
        if (slab.after != NONE) {
            slab(slab.after).before = slab.before;
        }
        slab.before = NONE;
        slab.after = NONE;
    }
}
