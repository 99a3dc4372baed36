package s3csi.fuse.session;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import s3csi.fuse.AttributeChanges;
import s3csi.fuse.Attributes;
import s3csi.fuse.AttributesReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.Entry;
import s3csi.fuse.EntryReply;
import s3csi.fuse.FileSystem;
import s3csi.fuse.Negotiated;
import s3csi.fuse.Notifications;
import s3csi.fuse.OpenReply;

/** A root directory with one file; what happens to its content is up to the test. */
class OneFile implements FileSystem {
    static final String NAME = "file";
    static final long FILE = 2;
    static final long VALID = TimeUnit.HOURS.toNanos(1);

    final AtomicLong lookups = new AtomicLong();
    final AtomicLong forgotten = new AtomicLong();
    volatile long size = 1 << 20;
    volatile int openFlags;
    volatile boolean ended;
    volatile @Nullable Notifications notifications;

    @Override
    public void started(Negotiated negotiated, Notifications kernel) {
        notifications = kernel;
    }

    @Override
    public void ended() {
        ended = true;
    }

    Attributes root() {
        return Attributes.directory(ROOT, Instant.EPOCH, 0777, 2, 0, 0, 4096);
    }

    Attributes file() {
        return Attributes.file(FILE, size, Instant.EPOCH, 0666, 0, 0, 4096);
    }

    @Override
    public void lookup(long parent, String name, EntryReply reply) {
        if (name.equals(NAME)) {
            lookups.incrementAndGet();
            reply.entry(new Entry(FILE, 0, file(), VALID, VALID));
        } else {
            reply.absent(0);
        }
    }

    @Override
    public void forget(long node, long count) {
        if (node == FILE) {
            forgotten.addAndGet(count);
        }
    }

    @Override
    public void getattr(long node, boolean hasHandle, long handle, AttributesReply reply) {
        reply.attributes(node == ROOT ? root() : file(), VALID);
    }

    @Override
    public void setattr(long node, AttributeChanges changes, AttributesReply reply) {
        if (changes.changes(AttributeChanges.SIZE)) {
            size = changes.size();
        }
        reply.attributes(file(), VALID);
    }

    @Override
    public void open(long node, int fileFlags, OpenReply reply) {
        reply.opened(77, openFlags);
    }

    @Override
    public void flush(long node, long handle, long lockOwner, EmptyReply reply) {
        reply.done();
    }
}
