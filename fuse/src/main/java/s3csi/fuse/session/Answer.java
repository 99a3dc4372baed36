package s3csi.fuse.session;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
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
import s3csi.fuse.ExtendedAttributeReply;
import s3csi.fuse.FileSystemStatistics;
import s3csi.fuse.LinkTargetReply;
import s3csi.fuse.OffsetReply;
import s3csi.fuse.OpenReply;
import s3csi.fuse.Operation;
import s3csi.fuse.StatisticsReply;
import s3csi.fuse.WriteReply;
import s3csi.fuse.wire.DirectoryBytes;
import s3csi.fuse.wire.ReplyBytes;
import s3csi.linux.Errno;

/**
 * Every kind of reply in one: what the answers are made of. When it may be given, and in whose memory, is up to
 * {@link InlineAnswer} and {@link LaterAnswer}.
 *
 * <p>An answer is given in three steps: the outbox is filled, {@link #claim} makes sure that it is the only answer, then it is sent. In this
 * order, because what fails while the outbox is filled must leave the request open for an EIO.
 */
abstract sealed class Answer
        implements EmptyReply,
                EntryReply,
                AttributesReply,
                OpenReply,
                CreateReply,
                DataReply,
                WriteReply,
                DirectoryReply,
                DirectoryPlusReply,
                StatisticsReply,
                LinkTargetReply,
                OffsetReply,
                ExtendedAttributeReply
        permits InlineAnswer, LaterAnswer {
    /** The kernel refuses error numbers from here on, and the request would wait for ever. */
    private static final int ERRNO_LIMIT = 512;

    final Connection connection;
    long unique;
    Operation operation = Operation.DESTROY;
    long node;
    int uid;
    int gid;
    int pid;
    /** How many bytes the kernel asked for, in READ, listings and values; how many a WRITE brought. */
    int limit;
    /** Where in a file or a listing; kept for {@link #details} only, as are the names. */
    long offset;

    @Nullable
    String name;

    @Nullable
    String newName;

    /** When the request was read. */
    long began;

    /** How many bytes a WRITE was answered with. */
    private long taken;

    /** How many bytes of a listing are in the payload; -1 while nothing was begun. */
    private int filled = -1;

    Answer(Connection connection) {
        this.connection = connection;
    }

    /** The one right to answer: false if the answer is to be dropped; an exception if there was one already. */
    abstract boolean claim();

    /** The memory for the answer; the same one until {@link #released}. */
    abstract Outbox outbox();

    /** Called when the answer was sent or is not to be sent. */
    abstract void released();

    final void forgetParts() {
        filled = -1;
    }

    /** Sends what is in the outbox, if this is the one answer, and says whether somebody still waited for it. */
    private boolean complete(Outbox box, int error) {
        if (!claim()) {
            released();
            return false;
        }
        return transmit(box, error);
    }

    final boolean transmit(Outbox box, int error) {
        boolean received = connection.send(box, operation, node, error, unique);
        long bytes = operation == Operation.WRITE ? taken : box.vector.bytes() - Outbox.BODY;
        released();
        connection.answered(this, bytes, -error);
        return received;
    }

    final AnsweredRequest details(long bytes, long nanos, int errno) {
        return new AnsweredRequest(operation, unique, node, pid, name, newName, offset, limit, bytes, nanos, errno);
    }

    private void completeFixed(Outbox box, int bodyBytes) {
        box.vector.clear();
        box.vector.add(box.fixed, 0, Outbox.BODY + bodyBytes);
        complete(box, 0);
    }

    @Override
    public final long unique() {
        return unique;
    }

    @Override
    public final boolean isResent() {
        return s3csi.fuse.wire.RequestBytes.isResent(unique);
    }

    @Override
    public final Operation operation() {
        return operation;
    }

    @Override
    public final int uid() {
        return uid;
    }

    @Override
    public final int gid() {
        return gid;
    }

    @Override
    public final int pid() {
        return pid;
    }

    @Override
    public abstract Answer later();

    @Override
    public final void error(int errno) {
        if (errno <= 0 || errno >= ERRNO_LIMIT) {
            throw new IllegalArgumentException(
                    "an error number is positive and below " + ERRNO_LIMIT + ", not " + errno);
        }
        Outbox box = outbox();
        box.begin();
        complete(box, -errno);
    }

    @Override
    public final void failed(Throwable cause) {
        connection.handlerFailed(operation, node, cause);
        if (!isAnswered()) {
            abandon(Errno.EIO);
        }
    }

    /** Writes the body of an answer and returns its size. */
    @FunctionalInterface
    interface Body {
        int write(MemorySegment out, long at);
    }

    /** Answers INIT. */
    final void init(Body body) {
        Outbox box = outbox();
        completeFixed(box, body.write(box.fixed, Outbox.BODY));
    }

    @Override
    public final void done() {
        completeFixed(outbox(), 0);
    }

    @Override
    public final void entry(Entry entry) {
        Outbox box = outbox();
        completeFixed(box, ReplyBytes.entry(box.fixed, Outbox.BODY, entry, connection.minor));
    }

    @Override
    public final void absent(long validNanos) {
        if (validNanos <= 0) {
            error(Errno.ENOENT);
            return;
        }
        Outbox box = outbox();
        completeFixed(box, ReplyBytes.absentEntry(box.fixed, Outbox.BODY, validNanos, connection.minor));
    }

    @Override
    public final void attributes(Attributes attributes, long validNanos) {
        Outbox box = outbox();
        completeFixed(
                box, ReplyBytes.attributesReply(box.fixed, Outbox.BODY, attributes, validNanos, connection.minor));
    }

    @Override
    public final void opened(long handle, int openFlags) {
        Outbox box = outbox();
        completeFixed(box, ReplyBytes.opened(box.fixed, Outbox.BODY, handle, openFlags));
    }

    @Override
    public final void created(Entry entry, long handle, int openFlags) {
        Outbox box = outbox();
        int bytes = ReplyBytes.entry(box.fixed, Outbox.BODY, entry, connection.minor);
        completeFixed(box, bytes + ReplyBytes.opened(box.fixed, Outbox.BODY + bytes, handle, openFlags));
    }

    @Override
    public final void written(long bytes) {
        taken = bytes;
        Outbox box = outbox();
        completeFixed(
                box,
                operation == Operation.COPY_FILE_RANGE_64
                        ? ReplyBytes.number(box.fixed, Outbox.BODY, bytes)
                        : ReplyBytes.count(box.fixed, Outbox.BODY, Math.toIntExact(bytes)));
    }

    @Override
    public final void statistics(FileSystemStatistics statistics) {
        Outbox box = outbox();
        completeFixed(box, ReplyBytes.statistics(box.fixed, Outbox.BODY, statistics));
    }

    @Override
    public final void offset(long offset) {
        Outbox box = outbox();
        completeFixed(box, ReplyBytes.number(box.fixed, Outbox.BODY, offset));
    }

    @Override
    public final void target(String path) {
        sendValue(path.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public final boolean wantsSize() {
        return limit == 0;
    }

    @Override
    public final void size(int bytes) {
        Outbox box = outbox();
        completeFixed(box, ReplyBytes.count(box.fixed, Outbox.BODY, bytes));
    }

    @Override
    public final void value(byte[] value) {
        if (value.length > limit) {
            error(Errno.ERANGE);
        } else {
            sendValue(value);
        }
    }

    private void sendValue(byte[] value) {
        if (value.length > Outbox.PAYLOAD) {
            error(Errno.ENAMETOOLONG);
            return;
        }
        Outbox box = outbox();
        MemorySegment.copy(value, 0, box.payload(), ValueLayout.JAVA_BYTE, 0, value.length);
        box.begin();
        box.vector.add(box.payload(), 0, value.length);
        complete(box, 0);
    }

    @Override
    public final Answer add(MemorySegment bytes, long from, long length) {
        Outbox box = outbox();
        if (filled < 0) {
            box.begin();
            filled = 0;
        }
        if (length > limit - filled) {
            throw new IllegalArgumentException("more bytes than the " + limit + " that were asked for");
        }
        box.vector.add(bytes, from, length);
        filled += (int) length;
        return this;
    }

    @Override
    public final boolean add(String name, long inode, int mode, long nextOffset) {
        return took(DirectoryBytes.entry(
                outbox().payload(), Math.max(filled, 0), listingLimit(), name, inode, mode, nextOffset));
    }

    @Override
    public final boolean add(String name, Entry entry, long nextOffset) {
        return took(DirectoryBytes.entryPlus(
                outbox().payload(), Math.max(filled, 0), listingLimit(), name, entry, nextOffset, connection.minor));
    }

    @Override
    public final boolean addName(String name, long inode, int mode, long nextOffset) {
        return took(DirectoryBytes.nameOnly(
                outbox().payload(),
                Math.max(filled, 0),
                listingLimit(),
                name,
                inode,
                mode,
                nextOffset,
                connection.minor));
    }

    private int listingLimit() {
        return Math.min(limit, Outbox.PAYLOAD);
    }

    private boolean took(int end) {
        if (end < 0) {
            return false;
        }
        filled = end;
        return true;
    }

    @Override
    public final boolean send() {
        Outbox box = outbox();
        boolean listing = operation == Operation.READDIR || operation == Operation.READDIRPLUS;
        if (listing || filled < 0) {
            box.begin();
            if (filled > 0) {
                box.vector.add(box.payload(), 0, filled);
            }
        }
        return complete(box, 0);
    }
}
