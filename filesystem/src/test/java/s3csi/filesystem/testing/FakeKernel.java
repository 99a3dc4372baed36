package s3csi.filesystem.testing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import s3csi.fuse.AttributeChanges;
import s3csi.fuse.Attributes;
import s3csi.fuse.Entry;
import s3csi.fuse.FileSystem;
import s3csi.fuse.FileSystemStatistics;
import s3csi.fuse.Operation;
import s3csi.fuse.WriteData;
import s3csi.linux.FileFlags;

/** Calls a file system and waits for its answers; what is refused is thrown as {@link ErrnoException}. It caches nothing. */
public final class FakeKernel {
    private static final int MUCH_ROOM = 1000;

    private final FileSystem fileSystem;

    public FakeKernel(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    /** A name of a listing; the entry is null where the kernel got none. */
    public record Listed(
            String name, long number, int mode, @Nullable Entry entry, long nextOffset) {
        public boolean isDirectory() {
            return (mode & 0170000) == Attributes.DIRECTORY;
        }
    }

    /** An open file. */
    public record File(long node, long handle, int openFlags) {}

    // ---- names

    public Entry lookup(long parent, String name) {
        Replies.OfEntry reply = new Replies.OfEntry(Operation.LOOKUP);
        fileSystem.lookup(parent, name, reply);
        reply.await();
        return Objects.requireNonNull(reply.entry);
    }

    /** Whether the lookup is answered without waiting, found or not. */
    public boolean looksUpInline(long parent, String name) {
        Replies.OfEntry reply = new Replies.OfEntry(Operation.LOOKUP);
        fileSystem.lookup(parent, name, reply);
        try {
            reply.await();
        } catch (ErrnoException _) {
            return reply.wasInline();
        }
        return reply.wasInline();
    }

    /** The node that a path leads to. */
    public long node(String path) {
        long node = FileSystem.ROOT;
        for (String name : path.split("/", -1)) {
            if (!name.isEmpty()) {
                node = lookup(node, name).node();
            }
        }
        return node;
    }

    private long parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? FileSystem.ROOT : node(path.substring(0, slash));
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    public void forget(long node, long count) {
        fileSystem.forget(node, count);
    }

    public Entry mknod(String path, int mode) {
        Replies.OfEntry reply = new Replies.OfEntry(Operation.MKNOD);
        fileSystem.mknod(parentOf(path), nameOf(path), mode, 0, 0, reply);
        reply.await();
        return Objects.requireNonNull(reply.entry);
    }

    public Entry mkdir(String path) {
        return mkdir(parentOf(path), nameOf(path));
    }

    public Entry mkdir(long parent, String name) {
        Replies.OfEntry reply = new Replies.OfEntry(Operation.MKDIR);
        fileSystem.mkdir(parent, name, 0755, 0, reply);
        reply.await();
        return Objects.requireNonNull(reply.entry);
    }

    public void rmdir(String path) {
        Replies.Empty reply = new Replies.Empty(Operation.RMDIR);
        fileSystem.rmdir(parentOf(path), nameOf(path), reply);
        reply.await();
    }

    public void unlink(String path) {
        startUnlink(path).written();
    }

    public Pending startUnlink(String path) {
        Replies.Empty reply = new Replies.Empty(Operation.UNLINK);
        fileSystem.unlink(parentOf(path), nameOf(path), reply);
        return pending(reply, () -> 0);
    }

    public void rename(String from, String to, int flags) {
        Replies.Empty reply = new Replies.Empty(Operation.RENAME2);
        fileSystem.rename(parentOf(from), nameOf(from), parentOf(to), nameOf(to), flags, reply);
        reply.await();
    }

    // ---- attributes

    public Attributes getattr(long node) {
        return attributes(node, false, 0).attributes();
    }

    public Attributes fstat(File file) {
        // The real one does not name the handle when a program asks, only when it asks for itself.
        return getattr(file.node);
    }

    public Attributes stat(String path) {
        return getattr(node(path));
    }

    /** Attributes and their validity. */
    public record Stat(Attributes attributes, long validNanos) {}

    public Stat attributes(long node, boolean hasHandle, long handle) {
        Replies.OfAttributes reply = new Replies.OfAttributes(Operation.GETATTR);
        fileSystem.getattr(node, hasHandle, handle, reply);
        reply.await();
        return new Stat(Objects.requireNonNull(reply.attributes), reply.validNanos);
    }

    public Attributes setattr(long node, int valid, long size, Instant time) {
        Replies.OfAttributes reply = new Replies.OfAttributes(Operation.SETATTR);
        fileSystem.setattr(node, new AttributeChanges(valid, 0, size, time, time, time, 0600, 1, 1), reply);
        reply.await();
        return Objects.requireNonNull(reply.attributes);
    }

    public void truncate(long node, long size) {
        setattr(node, AttributeChanges.SIZE | AttributeChanges.LOCK_OWNER, size, Instant.EPOCH);
    }

    public FileSystemStatistics statfs() {
        Replies.OfStatistics reply = new Replies.OfStatistics();
        fileSystem.statfs(FileSystem.ROOT, reply);
        reply.await();
        return Objects.requireNonNull(reply.statistics);
    }

    // ---- files

    /** As the kernel does it: where the number is stale it walks the path once more. */
    public File open(String path, int flags) {
        try {
            return open(node(path), flags);
        } catch (ErrnoException e) {
            if (e.errno() != s3csi.linux.Errno.ESTALE) {
                throw e;
            }
            return open(node(path), flags);
        }
    }

    public File open(long node, int flags) {
        Replies.OfOpen reply = new Replies.OfOpen(Operation.OPEN);
        fileSystem.open(node, flags, reply);
        reply.await();
        return new File(node, reply.handle, reply.flags);
    }

    public File create(String path, int flags) {
        return create(parentOf(path), nameOf(path), flags);
    }

    public File create(long parent, String name, int flags) {
        Replies.OfCreate reply = new Replies.OfCreate();
        fileSystem.create(parent, name, flags | FileFlags.O_CREAT, 0644, 0, reply);
        reply.await();
        return new File(Objects.requireNonNull(reply.entry).node(), reply.handle, reply.flags);
    }

    /** As the kernel does it: looks up, creates what is absent, opens what is there. */
    public File openOrCreate(String path, int flags) {
        long parent = parentOf(path);
        try {
            return open(path, flags);
        } catch (ErrnoException e) {
            if (e.errno() != s3csi.linux.Errno.ENOENT) {
                throw e;
            }
            return create(parent, nameOf(path), flags);
        }
    }

    public byte[] read(File file, long offset, int size) {
        return startRead(file, offset, size).bytes();
    }

    /** A read under way, for tests that interrupt it. */
    public record Reading(RunningRead reply) {
        public byte[] bytes() {
            return reply.await();
        }

        public void interrupt() {
            reply.interrupt();
        }
    }

    /** What a read under way can do. */
    public interface RunningRead {
        byte[] await();

        void interrupt();
    }

    public Reading startRead(File file, long offset, int size) {
        Replies.OfData reply = new Replies.OfData();
        fileSystem.read(file.node, file.handle, offset, size, 0, reply);
        return new Reading(new RunningRead() {
            @Override
            public byte[] await() {
                reply.await();
                return reply.bytes.toByteArray();
            }

            @Override
            public void interrupt() {
                reply.interrupt();
            }
        });
    }

    public byte[] readAll(String path) {
        File file = open(path, FileFlags.O_RDONLY);
        try {
            long size = fstat(file).size();
            java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
            while (all.size() < size) {
                byte[] piece = read(file, all.size(), 128 * 1024);
                if (piece.length == 0) {
                    break;
                }
                all.writeBytes(piece);
            }
            return all.toByteArray();
        } finally {
            close(file);
        }
    }

    public long write(File file, long offset, byte[] bytes) {
        return startWrite(file, offset, bytes).written();
    }

    /** A request under way, for tests that wait or interrupt. */
    public interface Pending {
        /** Waits for the answer. */
        long written();

        boolean isAnswered();

        void interrupt();
    }

    public Pending startWrite(File file, long offset, byte[] bytes) {
        return startWrite(file, offset, bytes, 0);
    }

    /** One piece of a direct write; the kernel sends several at the same time. */
    public Pending startDirectWrite(File file, long offset, byte[] bytes) {
        return startWrite(file, offset, bytes, FileFlags.O_DIRECT);
    }

    private Pending startWrite(File file, long offset, byte[] bytes, int flags) {
        Replies.OfWrite reply = new Replies.OfWrite();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
            segment.copyFrom(MemorySegment.ofArray(bytes));
            fileSystem.write(file.node, file.handle, offset, new LentBytes(segment), flags, false, reply);
        }
        return pending(reply, () -> reply.written);
    }

    /** A write by a kernel whose bytes cannot be kept for later. */
    public void writeUnkept(File file, long offset, byte[] bytes) {
        Replies.OfWrite reply = new Replies.OfWrite();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
            fileSystem.write(file.node, file.handle, offset, new UnkeptBytes(segment), 0, false, reply);
        } catch (OutOfMemoryError _) {
            // What the session does with a handler that throws.
            reply.error(s3csi.linux.Errno.EIO);
        }
        reply.await();
    }

    private record UnkeptBytes(MemorySegment bytes) implements WriteData {
        @Override
        public int size() {
            return (int) bytes.byteSize();
        }

        @Override
        public Kept keep() {
            throw new OutOfMemoryError("on purpose");
        }
    }

    private static Pending pending(RecordedReply reply, java.util.function.LongSupplier result) {
        return new Pending() {
            @Override
            public long written() {
                reply.await();
                return result.getAsLong();
            }

            @Override
            public boolean isAnswered() {
                return reply.isAnswered();
            }

            @Override
            public void interrupt() {
                reply.interrupt();
            }
        };
    }

    private record LentBytes(MemorySegment bytes) implements WriteData {
        @Override
        public int size() {
            return (int) bytes.byteSize();
        }

        @Override
        public Kept keep() {
            Arena arena = Arena.ofShared();
            MemorySegment copy = arena.allocate(Math.max(1, bytes.byteSize())).asSlice(0, bytes.byteSize());
            copy.copyFrom(bytes);
            return new Kept() {
                @Override
                public MemorySegment bytes() {
                    return copy;
                }

                @Override
                public void close() {
                    arena.close();
                }
            };
        }
    }

    public void flush(File file) {
        startFlush(file).written();
    }

    public Pending startFlush(File file) {
        Replies.Empty reply = new Replies.Empty(Operation.FLUSH);
        fileSystem.flush(file.node, file.handle, 0, reply);
        return pending(reply, () -> 0);
    }

    public void fsync(File file) {
        Replies.Empty reply = new Replies.Empty(Operation.FSYNC);
        fileSystem.fsync(file.node, file.handle, false, reply);
        reply.await();
    }

    public void release(File file) {
        startRelease(file).written();
    }

    public Pending startRelease(File file) {
        Replies.Empty reply = new Replies.Empty(Operation.RELEASE);
        fileSystem.release(file.node, file.handle, 0, reply);
        return pending(reply, () -> 0);
    }

    /** What close(2) of the only descriptor does; its error is that of the flush. */
    public void close(File file) {
        try {
            flush(file);
        } finally {
            release(file);
        }
    }

    /** Creates a file with the content, in writes of the given size. */
    public void writeAll(String path, byte[] bytes, int step) {
        File file = openOrCreate(path, FileFlags.O_WRONLY | FileFlags.O_TRUNC);
        try {
            for (int at = 0; at < bytes.length; at += step) {
                int end = Math.min(bytes.length, at + step);
                write(file, at, java.util.Arrays.copyOfRange(bytes, at, end));
            }
        } finally {
            close(file);
        }
    }

    // ---- directories

    public File opendir(String path) {
        return opendir(node(path));
    }

    public File opendir(long node) {
        Replies.OfOpen reply = new Replies.OfOpen(Operation.OPENDIR);
        fileSystem.opendir(node, 0, reply);
        reply.await();
        return new File(node, reply.handle, reply.flags);
    }

    public List<Listed> readdirplus(File directory, long offset, int room) {
        return startReaddirplus(directory, offset, room).names();
    }

    /** A listing under way. */
    public interface RunningListing {
        List<Listed> names();

        void interrupt();
    }

    public RunningListing startReaddirplus(File directory, long offset, int room) {
        Replies.OfDirectoryPlus reply = new Replies.OfDirectoryPlus(room);
        fileSystem.readdirplus(directory.node, directory.handle, offset, reply);
        return new RunningListing() {
            @Override
            public List<Listed> names() {
                reply.await();
                return reply.names;
            }

            @Override
            public void interrupt() {
                reply.interrupt();
            }
        };
    }

    public List<Listed> readdir(File directory, long offset, int room) {
        Replies.OfDirectory reply = new Replies.OfDirectory(room);
        fileSystem.readdir(directory.node, directory.handle, offset, reply);
        reply.await();
        return reply.names;
    }

    public void releasedir(File directory) {
        Replies.Empty reply = new Replies.Empty(Operation.RELEASEDIR);
        fileSystem.releasedir(directory.node, directory.handle, reply);
        reply.await();
    }

    /** All names of a directory but the two dots, in answers of some size. */
    public List<Listed> list(String path, int room) {
        File directory = opendir(path);
        try {
            List<Listed> all = new ArrayList<>();
            long offset = 0;
            for (List<Listed> some = readdirplus(directory, 0, room); !some.isEmpty(); ) {
                all.addAll(some);
                offset = some.getLast().nextOffset();
                some = readdirplus(directory, offset, room);
            }
            return all.stream()
                    .filter(each -> !each.name().equals(".") && !each.name().equals(".."))
                    .toList();
        } finally {
            releasedir(directory);
        }
    }

    /** The names of a directory, those of directories with a slash behind. */
    public List<String> ls(String path) {
        return list(path, MUCH_ROOM).stream()
                .map(each -> each.isDirectory() ? each.name() + '/' : each.name())
                .toList();
    }
}
