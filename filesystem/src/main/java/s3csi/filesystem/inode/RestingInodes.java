package s3csi.filesystem.inode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.RecordIndex;
import s3csi.filesystem.memory.RecordOrder;
import s3csi.filesystem.memory.Records;
import s3csi.s3.ETag;

/**
 * Inodes that the kernel knows and nothing here is busy with, off the heap: 88 bytes and the name each, where an object with all
 * that belongs to it takes 200. They are found by number, and by the number of the directory and the name. Guarded by the monitor of
 * the table.
 *
 * <p>A record has, in this order: number, number of the directory, validity; links of both indices and of the order in which they came to rest, hash of the name, references of the
 * kernel; flags, length of the name, length of a version that is text, parts of the version or number of children; for a file
 * size, time and digest of the version; the name, a version that is text, and the time of the last change made here, if there was one.
 */
final class RestingInodes {
    private static final int NUMBER = 0;
    private static final int PARENT = 8;
    private static final int VALID_UNTIL = 16;
    private static final int NEXT_BY_NUMBER = 24;
    private static final int NEXT_BY_NAME = 28;
    private static final int AGE = 32;
    private static final int NAME_HASH = 40;
    private static final int LOOKUPS = 44;
    private static final int FLAGS = 48;
    private static final int NAME_LENGTH = 49;
    private static final int TEXT_LENGTH = 50;
    private static final int CHILDREN = 52;
    private static final int PARTS = 52;
    private static final int DIRECTORY_SIZE = 56;
    private static final int SIZE = 56;
    private static final int MODIFIED = 64;
    private static final int DIGEST = 72;
    private static final int FILE_SIZE = 88;

    private static final int IS_DIRECTORY = 1;
    private static final int IS_READABLE = 2;
    private static final int HAS_PAGES_IN_DOUBT = 4;
    private static final int HAS_TEXT = 8;
    private static final int IS_TOLD = 16;
    private static final int IS_CHANGED = 32;

    /** Longer versions are not what stores give. */
    private static final int LONGEST_TEXT = 255;

    private final Records records;
    private final RecordIndex byNumber;
    private final RecordIndex byName;
    private final RecordOrder age;

    /** The newest of those that were offered to be forgotten; 0 for none. */
    private int offered;

    private int size;
    private long bytes;

    /** Of those that the kernel was told to forget. */
    private long toldBytes;

    RestingInodes(BufferPool pool) {
        this.records = new Records(pool);
        this.age = new RecordOrder(records, AGE);
        this.byNumber = new RecordIndex(pool, new RecordIndex.Links() {
            @Override
            public int hash(int record) {
                return Long.hashCode(number(record));
            }

            @Override
            public int next(int record) {
                return records.intAt(record, NEXT_BY_NUMBER);
            }

            @Override
            public void setNext(int record, int next) {
                records.setInt(record, NEXT_BY_NUMBER, next);
            }
        });
        this.byName = new RecordIndex(pool, new RecordIndex.Links() {
            @Override
            public int hash(int record) {
                return records.intAt(record, NAME_HASH);
            }

            @Override
            public int next(int record) {
                return records.intAt(record, NEXT_BY_NAME);
            }

            @Override
            public void setNext(int record, int next) {
                records.setInt(record, NEXT_BY_NAME, next);
            }
        });
    }

    int size() {
        return size;
    }

    /** Bytes of those that the kernel was not told to forget, without the indices. */
    long untoldBytes() {
        return bytes - toldBytes;
    }

    void clear() {
        records.clear();
        byNumber.clear();
        byName.clear();
        age.clear();
        offered = 0;
        size = 0;
        bytes = 0;
        toldBytes = 0;
    }

    // ---- finding

    /** The record of the number; 0 for none. */
    int find(long number) {
        int record = byNumber.first(Long.hashCode(number));
        while (record != 0 && number(record) != number) {
            record = records.intAt(record, NEXT_BY_NUMBER);
        }
        return record;
    }

    /** The record of the name in the directory; 0 for none. */
    int find(long parent, String name) {
        int hash = nameHash(parent, name);
        byte @Nullable [] bytes = null;
        for (int record = byName.first(hash); record != 0; record = records.intAt(record, NEXT_BY_NAME)) {
            if (records.intAt(record, NAME_HASH) == hash && parent(record) == parent) {
                bytes = bytes == null ? name.getBytes(StandardCharsets.UTF_8) : bytes;
                if (hasName(record, bytes)) {
                    return record;
                }
            }
        }
        return 0;
    }

    /** The one that rests for longest of those that were not offered yet; 0 for none. */
    int offer() {
        int next = offered == 0 ? age.oldest() : age.newer(offered);
        offered = next == 0 ? offered : next;
        return next;
    }

    /** All may be offered again. */
    void offerAgain() {
        offered = 0;
        for (int record = age.oldest(); record != 0; record = age.newer(record)) {
            setTold(record, false);
        }
    }

    private static int nameHash(long parent, String name) {
        return name.hashCode() * 31 + Long.hashCode(parent * 0x9E3779B97F4A7C15L);
    }

    private boolean hasName(int record, byte[] name) {
        if (nameLength(record) != name.length) {
            return false;
        }
        long from = records.offset(record) + nameAt(record);
        return MemorySegment.mismatch(
                        records.memory(record), from, from + name.length, MemorySegment.ofArray(name), 0, name.length)
                < 0;
    }

    // ---- what a record says

    long number(int record) {
        return records.longAt(record, NUMBER);
    }

    long parent(int record) {
        return records.longAt(record, PARENT);
    }

    boolean isDirectory(int record) {
        return (flags(record) & IS_DIRECTORY) != 0;
    }

    /** How many inodes at rest are in the directory. */
    int children(int record) {
        return isDirectory(record) ? records.intAt(record, CHILDREN) : 0;
    }

    void addChildren(int record, int change) {
        records.setInt(record, CHILDREN, records.intAt(record, CHILDREN) + change);
    }

    int lookups(int record) {
        return records.intAt(record, LOOKUPS);
    }

    void setLookups(int record, int count) {
        records.setInt(record, LOOKUPS, count);
    }

    /** Whether the kernel was told to forget it. */
    boolean isTold(int record) {
        return (flags(record) & IS_TOLD) != 0;
    }

    void setTold(int record, boolean isTold) {
        if (isTold(record) != isTold) {
            toldBytes += isTold ? records.size(record) : -records.size(record);
        }
        setFlags(record, isTold ? flags(record) | IS_TOLD : flags(record) & ~IS_TOLD);
    }

    String name(int record) {
        byte[] bytes = new byte[nameLength(record)];
        MemorySegment.copy(
                records.memory(record), JAVA_BYTE, records.offset(record) + nameAt(record), bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    // ---- putting and taking

    /** Writes an inode down; false if there is no memory for it. */
    boolean add(Inode inode, long parent) {
        byte[] name = inode.name().getBytes(StandardCharsets.UTF_8);
        byte[] text = inode instanceof FileInode file && file.version instanceof Version.Text(ETag etag)
                ? etag.text().getBytes(StandardCharsets.UTF_8)
                : new byte[0];
        if (name.length > ShownNames.LONGEST_NAME || text.length > LONGEST_TEXT) {
            return false;
        }
        int fixed = inode instanceof DirectoryInode ? DIRECTORY_SIZE : FILE_SIZE;
        int end = fixed + name.length + text.length;
        boolean isChanged = inode instanceof FileInode file && file.changedHere;
        int record = records.allocate(end + (isChanged ? Long.BYTES : 0));
        if (record == 0) {
            return false;
        }
        records.setLong(record, NUMBER, inode.number());
        records.setLong(record, PARENT, parent);
        records.setLong(record, VALID_UNTIL, inode.validUntil);
        records.setInt(record, NAME_HASH, nameHash(parent, inode.name()));
        records.setInt(record, LOOKUPS, Math.toIntExact(inode.lookups));
        records.setByte(record, NAME_LENGTH, name.length);
        records.setByte(record, TEXT_LENGTH, text.length);
        switch (inode) {
            case DirectoryInode directory -> {
                setFlags(record, IS_DIRECTORY);
                records.setInt(record, CHILDREN, directory.restingChildren);
            }
            case FileInode file -> putFile(record, file, end);
        }
        long at = records.offset(record) + fixed;
        MemorySegment.copy(name, 0, records.memory(record), JAVA_BYTE, at, name.length);
        MemorySegment.copy(text, 0, records.memory(record), JAVA_BYTE, at + name.length, text.length);
        if (!byNumber.add(record)) {
            records.free(record);
            return false;
        }
        if (!byName.add(record)) {
            byNumber.remove(record);
            records.free(record);
            return false;
        }
        age.addNewest(record);
        size++;
        bytes += records.size(record);
        return true;
    }

    private void putFile(int record, FileInode file, int end) {
        int flags = (file.readable ? IS_READABLE : 0) | (file.pagesInDoubt ? HAS_PAGES_IN_DOUBT : 0);
        if (file.changedHere) {
            flags |= IS_CHANGED;
            records.memory(record).set(JAVA_LONG_UNALIGNED, records.offset(record) + end, file.changedAt);
        }
        records.setLong(record, SIZE, file.size);
        records.setLong(record, MODIFIED, file.modified);
        switch (file.version) {
            case Version.Digest(long high, long low, int parts) -> {
                records.setLong(record, DIGEST, high);
                records.setLong(record, DIGEST + 8, low);
                records.setInt(record, PARTS, parts);
            }
            case Version.Text _ -> flags |= HAS_TEXT;
            case null -> throw new IllegalArgumentException("a file without version cannot rest: " + file.key());
        }
        setFlags(record, flags);
    }

    /** The inode as an object again; the record is gone afterwards. */
    Inode take(int record, DirectoryInode parent) {
        Inode inode = isDirectory(record)
                ? new DirectoryInode(number(record), parent, name(record), "")
                : new FileInode(number(record), parent, name(record));
        inode.validUntil = records.longAt(record, VALID_UNTIL);
        inode.lookups = lookups(record);
        inode.attached = true;
        switch (inode) {
            case DirectoryInode directory -> directory.restingChildren = records.intAt(record, CHILDREN);
            case FileInode file -> takeFile(record, file);
        }
        remove(record);
        return inode;
    }

    private void takeFile(int record, FileInode file) {
        int flags = flags(record);
        file.size = records.longAt(record, SIZE);
        file.modified = records.longAt(record, MODIFIED);
        file.readable = (flags & IS_READABLE) != 0;
        file.pagesInDoubt = (flags & HAS_PAGES_IN_DOUBT) != 0;
        file.changedHere = (flags & IS_CHANGED) != 0;
        if (file.changedHere) {
            long end =
                    records.offset(record) + nameAt(record) + nameLength(record) + records.byteAt(record, TEXT_LENGTH);
            file.changedAt = records.memory(record).get(JAVA_LONG_UNALIGNED, end);
        }
        file.version = (flags & HAS_TEXT) == 0
                ? new Version.Digest(
                        records.longAt(record, DIGEST),
                        records.longAt(record, DIGEST + 8),
                        records.intAt(record, PARTS))
                : new Version.Text(new ETag(text(record)));
    }

    private String text(int record) {
        byte[] bytes = new byte[records.byteAt(record, TEXT_LENGTH)];
        long from = records.offset(record) + nameAt(record) + nameLength(record);
        MemorySegment.copy(records.memory(record), JAVA_BYTE, from, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    void remove(int record) {
        bytes -= records.size(record);
        toldBytes -= isTold(record) ? records.size(record) : 0;
        byNumber.remove(record);
        byName.remove(record);
        offered = offered == record ? age.older(record) : offered;
        age.remove(record);
        records.free(record);
        size--;
    }

    // ---- fields

    private int nameAt(int record) {
        return isDirectory(record) ? DIRECTORY_SIZE : FILE_SIZE;
    }

    private int nameLength(int record) {
        return records.byteAt(record, NAME_LENGTH);
    }

    private int flags(int record) {
        return records.byteAt(record, FLAGS);
    }

    private void setFlags(int record, int flags) {
        records.setByte(record, FLAGS, flags);
    }
}
