package s3csi.fuse.sample;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import s3csi.fuse.Attributes;
import s3csi.fuse.AttributesReply;
import s3csi.fuse.DataReply;
import s3csi.fuse.EntryReply;
import s3csi.fuse.FileSystem;
import s3csi.fuse.OpenReply;
import s3csi.fuse.WriteData;
import s3csi.fuse.WriteReply;
import s3csi.linux.Errno;

/**
 * One file of 64 GiB that reads as zeroes and takes every write: what is left is the cost of FUSE, the session and the JVM.
 */
public final class NullFileSystem implements FileSystem {
    public static final String NAME = "null";
    public static final long SIZE = 64L << 30;

    private static final long FILE = 2;
    private static final long VALID = TimeUnit.HOURS.toNanos(1);
    private static final int LARGEST_READ = 16 << 20;

    private final int openFlags;
    private final MemorySegment zeroes = Arena.ofAuto().allocate(LARGEST_READ);
    private final Attributes root = Attributes.directory(ROOT, Instant.EPOCH, 0755, 2, 0, 0, 4096);
    private final Attributes file = Attributes.file(FILE, SIZE, Instant.EPOCH, 0666, 0, 0, 4096);

    /** The flags of every open: {@code OpenFlags.DIRECT_IO} brings each read(2) here as it is. */
    public NullFileSystem(int openFlags) {
        this.openFlags = openFlags;
    }

    @Override
    public void lookup(long parent, String name, EntryReply reply) {
        if (name.equals(NAME)) {
            reply.entry(new s3csi.fuse.Entry(FILE, 0, file, VALID, VALID));
        } else {
            reply.error(Errno.ENOENT);
        }
    }

    @Override
    public void getattr(long node, boolean hasHandle, long handle, AttributesReply reply) {
        reply.attributes(node == ROOT ? root : file, VALID);
    }

    @Override
    public void open(long node, int fileFlags, OpenReply reply) {
        reply.opened(0, openFlags);
    }

    @Override
    public void read(long node, long handle, long offset, int size, int fileFlags, DataReply reply) {
        reply.add(zeroes, 0, Math.min(size, Math.max(0, SIZE - offset))).send();
    }

    @Override
    public void write(
            long node,
            long handle,
            long offset,
            WriteData data,
            int fileFlags,
            boolean fromPageCache,
            WriteReply reply) {
        reply.written(data.size());
    }
}
