package s3csi.filesystem;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.directory.Directories;
import s3csi.filesystem.directory.Turns;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.inode.InodeTable;
import s3csi.filesystem.inode.KernelMemory;
import s3csi.filesystem.inode.Lookups;
import s3csi.filesystem.inode.NameProbes;
import s3csi.filesystem.inode.NumberSequence;
import s3csi.filesystem.inode.OpenRules;
import s3csi.filesystem.inode.Time;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.read.Readers;
import s3csi.filesystem.write.Uploads;
import s3csi.fuse.AttributeChanges;
import s3csi.fuse.AttributesReply;
import s3csi.fuse.Capability;
import s3csi.fuse.CreateReply;
import s3csi.fuse.DataReply;
import s3csi.fuse.DirectoryPlusReply;
import s3csi.fuse.DirectoryReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.EntryReply;
import s3csi.fuse.FileSystem;
import s3csi.fuse.KernelWishes;
import s3csi.fuse.Negotiated;
import s3csi.fuse.Notifications;
import s3csi.fuse.OpenReply;
import s3csi.fuse.StatisticsReply;
import s3csi.fuse.WriteData;
import s3csi.fuse.WriteReply;
import s3csi.s3.ObjectStore;

/**
 * A bucket, or what lies below a prefix of it, as a file system.
 *
 * <p>Store, pool and readers belong to whoever made them and must outlive it; {@link #close} comes first.
 */
public final class S3FileSystem implements FileSystem, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(S3FileSystem.class);

    /** How long the end of the mount may take to store what was closed. */
    private static final Duration STORING = Duration.ofSeconds(15);
    /** How long it may then take to abort the uploads that are left. */
    private static final Duration ABORTING = Duration.ofSeconds(3);

    private final FileSystemConfig config;
    private final InodeTable table;
    private final KernelMemory kernelMemory;
    private final NameRequests names;
    private final AttributeRequests attributes;
    private final FileRequests files;
    private final DirectoryRequests directories;
    private final AtomicBoolean closed = new AtomicBoolean();

    public S3FileSystem(ObjectStore store, BufferPool pool, Readers readers, FileSystemConfig config) {
        this(store, pool, readers, config, Time.system());
    }

    public S3FileSystem(ObjectStore store, BufferPool pool, Readers readers, FileSystemConfig config, Time time) {
        this(store, pool, readers, config, time, FirstNumbers.NEW);
    }

    S3FileSystem(
            ObjectStore store,
            BufferPool pool,
            Readers readers,
            FileSystemConfig config,
            Time time,
            FirstNumbers first) {
        this.config = config;
        NumberSequence handles = new NumberSequence(first.handle());
        this.table = new InodeTable(
                config.prefix(),
                config.appearance(),
                config.caching(),
                config.limits(),
                pool,
                time,
                new NumberSequence(first.inode()));
        this.kernelMemory = new KernelMemory(table, pool);
        Lookups lookups = new Lookups(table, new NameProbes(store, time));
        Uploads uploads = new Uploads(store, pool, config.uploads());
        this.files = new FileRequests(table, lookups, new OpenRules(table), readers, uploads, config, handles);
        this.names = new NameRequests(store, table, lookups, files, config.permissions());
        this.attributes = new AttributeRequests(table, lookups, files, config.permissions(), time.wall());
        this.directories = new DirectoryRequests(
                table, new Directories(store, table, new Turns(config.limits().listings()), time), handles);
    }

    /** What a session that serves it asks the kernel for. */
    public KernelWishes wishes() {
        return KernelWishes.DEFAULTS
                // A listing without attributes costs two requests to the store for each file that is then looked at.
                .without(Capability.READDIRPLUS_AUTO)
                // Truncation must come with the open, because no file can be truncated after it.
                .withRequired(config.permissions().overwrite() ? Set.of(Capability.ATOMIC_O_TRUNC) : Set.of());
    }

    /** How many inodes there are. */
    public int inodes() {
        return table.size();
    }

    /** The keys of files that were written and are not stored: lost if the process ended now. Never waits for the store. */
    public List<String> unstored() {
        return files.unstored();
    }

    @Override
    public void started(Negotiated negotiated, Notifications notifications) {
        kernelMemory.start(notifications);
    }

    @Override
    public void ended() {
        close();
    }

    /** Stores what was closed, aborts what was not. Open files are dead afterwards. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        directories.close();
        try {
            files.close(STORING, ABORTING);
        } catch (InterruptedException e) {
            LOG.warn("interrupted while unfinished uploads were stored or aborted; some may be left in the bucket");
            Thread.currentThread().interrupt();
        }
        kernelMemory.close();
    }

    // ---- names

    @Override
    public void lookup(long parent, String name, EntryReply reply) {
        Answering.now(reply, () -> names.lookup(parent, name, reply));
    }

    @Override
    public void forget(long node, long count) {
        table.forget(node, count);
    }

    @Override
    public void mknod(long parent, String name, int mode, int device, int umask, EntryReply reply) {
        Answering.now(reply, () -> names.mknod(parent, name, mode, reply));
    }

    @Override
    public void mkdir(long parent, String name, int mode, int umask, EntryReply reply) {
        Answering.now(reply, () -> names.mkdir(parent, name, reply));
    }

    @Override
    public void create(long parent, String name, int fileFlags, int mode, int umask, CreateReply reply) {
        Answering.now(reply, () -> names.create(parent, name, fileFlags, reply));
    }

    @Override
    public void unlink(long parent, String name, EmptyReply reply) {
        Answering.now(reply, () -> names.unlink(parent, name, reply));
    }

    @Override
    public void rmdir(long parent, String name, EmptyReply reply) {
        Answering.now(reply, () -> names.rmdir(parent, name, reply));
    }

    @Override
    public void rename(long parent, String name, long newParent, String newName, int flags, EmptyReply reply) {
        Answering.now(reply, () -> names.rename(parent, name, newParent, newName, flags, reply));
    }

    // ---- attributes

    @Override
    public void getattr(long node, boolean hasHandle, long handle, AttributesReply reply) {
        Answering.now(reply, () -> attributes.getattr(node, reply));
    }

    @Override
    public void setattr(long node, AttributeChanges changes, AttributesReply reply) {
        Answering.now(reply, () -> attributes.setattr(node, changes, reply));
    }

    @Override
    public void statfs(long node, StatisticsReply reply) {
        reply.statistics(Statistics.of(config.capacity()));
    }

    // ---- files

    @Override
    public void open(long node, int fileFlags, OpenReply reply) {
        Answering.now(reply, () -> files.open(node, fileFlags, reply));
    }

    @Override
    public void read(long node, long handle, long offset, int size, int fileFlags, DataReply reply) {
        // Without a lambda: a read that memory can answer allocates nothing.
        try {
            files.read(handle, offset, size, reply);
        } catch (FileException e) {
            Answering.refuse(reply, e);
        }
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
        Answering.now(reply, () -> files.write(handle, offset, data, fileFlags, reply));
    }

    @Override
    public void flush(long node, long handle, long lockOwner, EmptyReply reply) {
        Answering.now(reply, () -> files.flush(handle, reply));
    }

    @Override
    public void fsync(long node, long handle, boolean dataOnly, EmptyReply reply) {
        Answering.now(reply, () -> files.fsync(handle, reply));
    }

    @Override
    public void release(long node, long handle, int fileFlags, EmptyReply reply) {
        Answering.now(reply, () -> files.release(handle, reply));
    }

    // ---- directories

    @Override
    public void opendir(long node, int fileFlags, OpenReply reply) {
        Answering.now(reply, () -> directories.opendir(node, reply));
    }

    @Override
    public void readdir(long node, long handle, long offset, DirectoryReply reply) {
        Answering.now(reply, () -> directories.readdir(handle, offset, reply));
    }

    @Override
    public void readdirplus(long node, long handle, long offset, DirectoryPlusReply reply) {
        Answering.now(reply, () -> directories.readdirplus(handle, offset, reply));
    }

    @Override
    public void releasedir(long node, long handle, EmptyReply reply) {
        Answering.now(reply, () -> directories.releasedir(handle, reply));
    }
}
