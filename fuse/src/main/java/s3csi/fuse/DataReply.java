package s3csi.fuse;

import java.lang.foreign.MemorySegment;

/**
 * The answer to READ: bytes that go to the kernel straight from the memory they are in.
 *
 * <p>Pieces are added in order, then sent in one system call. The memory must be off-heap and must stay as it is until
 * {@link #send} returns; after that it is the caller's again. Fewer bytes than asked for mean the end of the file.
 *
 * <p>{@link #add} and {@link #send} allocate nothing when the request is answered on the device thread.
 */
public interface DataReply extends Reply {
    /** The most pieces one answer may have. */
    int MAX_PIECES = 256;

    /** Adds the bytes {@code [from, from + length)} of the segment. More than was asked for is refused. */
    DataReply add(MemorySegment bytes, long from, long length);

    /** Sends what was added; nothing added means end of file. False if nobody waited for it any more. */
    boolean send();

    @Override
    DataReply later();
}
