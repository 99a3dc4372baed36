package s3csi.filesystem.testing;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.fuse.Attributes;
import s3csi.fuse.AttributesReply;
import s3csi.fuse.CreateReply;
import s3csi.fuse.DataReply;
import s3csi.fuse.DirectoryPlusReply;
import s3csi.fuse.DirectoryReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.Entry;
import s3csi.fuse.EntryReply;
import s3csi.fuse.FileSystemStatistics;
import s3csi.fuse.OpenReply;
import s3csi.fuse.Operation;
import s3csi.fuse.StatisticsReply;
import s3csi.fuse.WriteReply;
import s3csi.linux.Errno;

/** The answers of all kinds. */
final class Replies {
    private Replies() {}

    static final class OfEntry extends RecordedReply implements EntryReply {
        volatile @Nullable Entry entry;
        volatile long absentNanos;

        OfEntry(Operation operation) {
            super(operation);
        }

        @Override
        public void entry(Entry found) {
            entry = found;
            settle();
        }

        @Override
        public void absent(long validNanos) {
            absentNanos = validNanos;
            error(Errno.ENOENT);
        }

        @Override
        public OfEntry later() {
            return this;
        }
    }

    static final class OfAttributes extends RecordedReply implements AttributesReply {
        volatile @Nullable Attributes attributes;
        volatile long validNanos;

        OfAttributes(Operation operation) {
            super(operation);
        }

        @Override
        public void attributes(Attributes found, long nanos) {
            attributes = found;
            validNanos = nanos;
            settle();
        }

        @Override
        public OfAttributes later() {
            return this;
        }
    }

    static final class OfOpen extends RecordedReply implements OpenReply {
        volatile long handle;
        volatile int flags;

        OfOpen(Operation operation) {
            super(operation);
        }

        @Override
        public void opened(long number, int openFlags) {
            handle = number;
            flags = openFlags;
            settle();
        }

        @Override
        public OfOpen later() {
            return this;
        }
    }

    static final class OfCreate extends RecordedReply implements CreateReply {
        volatile @Nullable Entry entry;
        volatile long handle;
        volatile int flags;

        OfCreate() {
            super(Operation.CREATE);
        }

        @Override
        public void created(Entry made, long number, int openFlags) {
            entry = made;
            handle = number;
            flags = openFlags;
            settle();
        }

        @Override
        public OfCreate later() {
            return this;
        }
    }

    static final class OfData extends RecordedReply implements DataReply {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        OfData() {
            super(Operation.READ);
        }

        @Override
        public OfData add(MemorySegment segment, long from, long length) {
            bytes.writeBytes(segment.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE));
            return this;
        }

        @Override
        public boolean send() {
            return settle();
        }

        @Override
        public OfData later() {
            return this;
        }
    }

    static final class OfWrite extends RecordedReply implements WriteReply {
        volatile long written;

        OfWrite() {
            super(Operation.WRITE);
        }

        @Override
        public void written(long bytes) {
            written = bytes;
            settle();
        }

        @Override
        public OfWrite later() {
            return this;
        }
    }

    static final class Empty extends RecordedReply implements EmptyReply {
        Empty(Operation operation) {
            super(operation);
        }

        @Override
        public void done() {
            settle();
        }

        @Override
        public Empty later() {
            return this;
        }
    }

    static final class OfStatistics extends RecordedReply implements StatisticsReply {
        volatile @Nullable FileSystemStatistics statistics;

        OfStatistics() {
            super(Operation.STATFS);
        }

        @Override
        public void statistics(FileSystemStatistics found) {
            statistics = found;
            settle();
        }

        @Override
        public OfStatistics later() {
            return this;
        }
    }

    /** Both kinds of listings, with room for so many names. */
    abstract static class Listing extends RecordedReply {
        final List<FakeKernel.Listed> names = new ArrayList<>();
        private final int room;

        Listing(Operation operation, int room) {
            super(operation);
            this.room = room;
        }

        final boolean put(String name, long number, int mode, @Nullable Entry entry, long nextOffset) {
            if (names.size() == room) {
                return false;
            }
            names.add(new FakeKernel.Listed(name, number, mode, entry, nextOffset));
            return true;
        }
    }

    static final class OfDirectory extends Listing implements DirectoryReply {
        OfDirectory(int room) {
            super(Operation.READDIR, room);
        }

        @Override
        public boolean add(String name, long inode, int mode, long nextOffset) {
            return put(name, inode, mode, null, nextOffset);
        }

        @Override
        public boolean send() {
            return settle();
        }

        @Override
        public OfDirectory later() {
            return this;
        }
    }

    static final class OfDirectoryPlus extends Listing implements DirectoryPlusReply {
        OfDirectoryPlus(int room) {
            super(Operation.READDIRPLUS, room);
        }

        @Override
        public boolean add(String name, Entry entry, long nextOffset) {
            return put(name, entry.node(), entry.attributes().mode(), entry, nextOffset);
        }

        @Override
        public boolean addName(String name, long inode, int mode, long nextOffset) {
            return put(name, inode, mode, null, nextOffset);
        }

        @Override
        public boolean send() {
            return settle();
        }

        @Override
        public OfDirectoryPlus later() {
            return this;
        }
    }
}
