package s3csi.filesystem.directory;

/**
 * Which names a listing has given already, as 64-bit hashes: 16 bytes a name. Two different names among 100,000 collide once in
 * a billion listings.
 */
final class SeenNames {
    /** Fewer say nothing about the order of a listing; so many that are in order by chance do not exist. */
    private static final int FEW = 1000;

    /** More are not remembered: two megabytes, which only a store that lists out of order makes us need. */
    private static final int MOST = 1 << 17;

    private long[] hashes;
    private int size;

    SeenNames() {
        this(new long[64], 0);
    }

    private SeenNames(long[] hashes, int size) {
        this.hashes = hashes;
        this.size = size;
    }

    SeenNames copy() {
        return new SeenNames(hashes.clone(), size);
    }

    /** Adds a name and says whether it is new. */
    boolean add(String name) {
        if ((size + 1) * 2 > hashes.length) {
            grow();
        }
        if (!place(hash(name))) {
            return false;
        }
        size++;
        return true;
    }

    boolean isFew() {
        return size < FEW;
    }

    boolean isFull() {
        return size >= MOST;
    }

    private boolean place(long hash) {
        int i = (int) (hash ^ (hash >>> 32)) & (hashes.length - 1);
        while (hashes[i] != 0) {
            if (hashes[i] == hash) {
                return false;
            }
            i = (i + 1) & (hashes.length - 1);
        }
        hashes[i] = hash;
        return true;
    }

    private void grow() {
        long[] old = hashes;
        hashes = new long[old.length * 2];
        for (long hash : old) {
            if (hash != 0) {
                place(hash);
            }
        }
    }

    /** Not 0, which marks a free slot. */
    private static long hash(String name) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
            hash ^= hash >>> 29;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        hash ^= hash >>> 33;
        return hash == 0 ? 1 : hash;
    }
}
