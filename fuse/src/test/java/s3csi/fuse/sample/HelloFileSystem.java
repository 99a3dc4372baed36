package s3csi.fuse.sample;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import s3csi.fuse.Attributes;
import s3csi.fuse.AttributesReply;
import s3csi.fuse.DataReply;
import s3csi.fuse.DirectoryPlusReply;
import s3csi.fuse.DirectoryReply;
import s3csi.fuse.Entry;
import s3csi.fuse.EntryReply;
import s3csi.fuse.FileSystem;
import s3csi.fuse.OpenFlags;
import s3csi.fuse.OpenReply;
import s3csi.linux.Errno;

/** One directory with one file that says hello: the least that can be mounted, listed and read. */
public final class HelloFileSystem implements FileSystem {
    public static final String NAME = "hello.txt";
    public static final String TEXT = "Hello, kernel!\n";

    private static final long FILE = 2;
    private static final long VALID = TimeUnit.SECONDS.toNanos(1);
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.123456789Z");
    private static final int UID = 1234;
    private static final int GID = 2345;

    private final MemorySegment text = bytes(TEXT);

    private static MemorySegment bytes(String text) {
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment memory = Arena.ofAuto().allocate(raw.length);
        memory.copyFrom(MemorySegment.ofArray(raw));
        return memory;
    }

    private static Attributes root() {
        return Attributes.directory(ROOT, TIME, 0755, 2, UID, GID, 4096);
    }

    private Attributes file() {
        return Attributes.file(FILE, text.byteSize(), TIME, 0444, UID, GID, 4096);
    }

    private Entry fileEntry() {
        return new Entry(FILE, 0, file(), VALID, VALID);
    }

    @Override
    public void lookup(long parent, String name, EntryReply reply) {
        if (parent == ROOT && name.equals(NAME)) {
            reply.entry(fileEntry());
        } else {
            reply.absent(VALID);
        }
    }

    @Override
    public void getattr(long node, boolean hasHandle, long handle, AttributesReply reply) {
        if (node == ROOT) {
            reply.attributes(root(), VALID);
        } else if (node == FILE) {
            reply.attributes(file(), VALID);
        } else {
            reply.error(Errno.ENOENT);
        }
    }

    @Override
    public void open(long node, int fileFlags, OpenReply reply) {
        reply.opened(0, OpenFlags.KEEP_CACHE);
    }

    @Override
    public void read(long node, long handle, long offset, int size, int fileFlags, DataReply reply) {
        long from = Math.min(offset, text.byteSize());
        reply.add(text, from, Math.min(size, text.byteSize() - from)).send();
    }

    @Override
    public void opendir(long node, int fileFlags, OpenReply reply) {
        reply.opened(0, 0);
    }

    // The offset of an entry is the number of the entry behind it, so an offset says how many have been given.
    @Override
    public void readdir(long node, long handle, long offset, DirectoryReply reply) {
        boolean room = true;
        if (offset < 1) {
            room = reply.add(".", ROOT, Attributes.DIRECTORY, 1);
        }
        if (room && offset < 2) {
            room = reply.add("..", ROOT, Attributes.DIRECTORY, 2);
        }
        if (room && offset < 3) {
            reply.add(NAME, FILE, Attributes.REGULAR_FILE, 3);
        }
        reply.send();
    }

    @Override
    public void readdirplus(long node, long handle, long offset, DirectoryPlusReply reply) {
        boolean room = true;
        if (offset < 1) {
            room = reply.addName(".", ROOT, Attributes.DIRECTORY, 1);
        }
        if (room && offset < 2) {
            room = reply.addName("..", ROOT, Attributes.DIRECTORY, 2);
        }
        if (room && offset < 3) {
            reply.add(NAME, fileEntry(), 3);
        }
        reply.send();
    }
}
