package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import s3csi.fuse.DataReply;
import s3csi.fuse.Operation;

/** Keeps the answer to a READ, and looks at the memory only when it is sent, as the kernel does. */
public class RecordingReply implements DataReply {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<MemorySegment> pieces = new ArrayList<>();
    private boolean answered;

    /** What was sent. */
    public byte[] bytes() {
        assertThat(answered).as("the request was answered").isTrue();
        return bytes.toByteArray();
    }

    @Override
    public DataReply add(MemorySegment memory, long from, long length) {
        assertThat(memory.isNative()).isTrue();
        pieces.add(memory.asSlice(from, length));
        return this;
    }

    @Override
    public boolean send() {
        assertThat(answered).as("the request was answered before").isFalse();
        assertThat(pieces.size()).isLessThanOrEqualTo(MAX_PIECES);
        pieces.forEach(piece -> bytes.writeBytes(piece.toArray(ValueLayout.JAVA_BYTE)));
        answered = true;
        return true;
    }

    @Override
    public DataReply later() {
        return this;
    }

    @Override
    public long unique() {
        return 1;
    }

    @Override
    public boolean isResent() {
        return false;
    }

    @Override
    public Operation operation() {
        return Operation.READ;
    }

    @Override
    public int uid() {
        return 0;
    }

    @Override
    public int gid() {
        return 0;
    }

    @Override
    public int pid() {
        return 0;
    }

    @Override
    public void error(int errno) {
        throw new AssertionError("a reader throws, it does not answer with errno " + errno);
    }

    @Override
    public void failed(Throwable cause) {
        throw new AssertionError("a reader throws, it does not answer with a failure", cause);
    }

    @Override
    public boolean abandon(int errno) {
        return false;
    }

    @Override
    public boolean isAnswered() {
        return answered;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void onCancel(Runnable action) {
        throw new AssertionError("cancelling is the caller's");
    }

    @Override
    public void answerBy(Runnable work) {
        throw new AssertionError("threads are the caller's");
    }
}
