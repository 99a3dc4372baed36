package s3csi.driver.node.process;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import s3csi.fuse.Attributes;
import s3csi.fuse.AttributesReply;
import s3csi.fuse.CreateReply;
import s3csi.fuse.DataReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.Entry;
import s3csi.fuse.EntryReply;
import s3csi.fuse.FileSystem;
import s3csi.fuse.FileSystemStatistics;
import s3csi.fuse.OpenReply;
import s3csi.fuse.StatisticsReply;
import s3csi.linux.Errno;

/** A file that says what the engine was told, and a directory that pretends to take new files. */
final class GreetingFileSystem implements FileSystem {
    static final String NAME = "greeting";
    private static final long FILE = 2;
    private static final long NEW_FILE = 3;
    private static final long VALID = 0;

    private final MemorySegment text;
    private final int gid;

    GreetingFileSystem(String text, int gid) {
        this.text = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, text.getBytes(StandardCharsets.UTF_8));
        this.gid = gid;
    }

    private Attributes attributes(long node) {
        return node == ROOT
                ? Attributes.directory(ROOT, Instant.EPOCH, 0770, 2, 0, gid, 4096)
                : Attributes.file(node, node == FILE ? text.byteSize() : 0, Instant.EPOCH, 0660, 0, gid, 4096);
    }

    @Override
    public void lookup(long parent, String name, EntryReply reply) {
        if (parent == ROOT && name.equals(NAME)) {
            reply.entry(new Entry(FILE, 0, attributes(FILE), VALID, VALID));
        } else {
            reply.error(Errno.ENOENT);
        }
    }

    @Override
    public void getattr(long node, boolean hasHandle, long handle, AttributesReply reply) {
        reply.attributes(attributes(node), VALID);
    }

    @Override
    public void open(long node, int fileFlags, OpenReply reply) {
        reply.opened(0, 0);
    }

    @Override
    public void read(long node, long handle, long offset, int size, int fileFlags, DataReply reply) {
        long from = Math.min(offset, text.byteSize());
        reply.add(text, from, Math.min(size, text.byteSize() - from)).send();
    }

    @Override
    public void create(long parent, String name, int fileFlags, int mode, int umask, CreateReply reply) {
        reply.created(new Entry(NEW_FILE, 0, attributes(NEW_FILE), VALID, VALID), 0, 0);
    }

    @Override
    public void flush(long node, long handle, long lockOwner, EmptyReply reply) {
        reply.done();
    }

    @Override
    public void statfs(long node, StatisticsReply reply) {
        reply.statistics(new FileSystemStatistics(1000, 900, 900, 10, 8, 4096, 255, 4096));
    }
}
