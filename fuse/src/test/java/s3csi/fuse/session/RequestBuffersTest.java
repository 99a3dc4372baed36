package s3csi.fuse.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import s3csi.fuse.WriteData;

class RequestBuffersTest {
    private final Counters counters = new Counters();

    /** Of two threads with the same buffer one would get what the other reads. */
    @Test
    void aBufferThatIsGivenBackTwiceIsThereOnce() throws Exception {
        RequestBuffers buffers = new RequestBuffers(4096, 1, 1 << 20, counters);
        MemorySegment spare = requireNonNull(buffers.takeSpare());
        assertThat(buffers.takeSpare()).isNull();
        WriteData.Kept kept = buffers.keptInPlace(spare, 0, 100);
        assertThat(counters.keptBytes.get()).isEqualTo(100);

        kept.close();
        kept.close();

        assertThat(buffers.takeSpare()).isEqualTo(spare);
        assertThat(buffers.takeSpare()).isNull();
        assertThat(counters.keptBytes.get()).isZero();
        assertThatThrownBy(kept::bytes).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCopyIsWhatWasThereWhenItWasMade() throws Exception {
        RequestBuffers buffers = new RequestBuffers(1 << 16, 0, 1 << 16, counters);
        MemorySegment buffer = buffers.map();
        buffer.set(ValueLayout.JAVA_BYTE, 10, (byte) 7);
        WriteData.Kept kept = buffers.keptCopy(buffer, 10, 1);
        buffer.set(ValueLayout.JAVA_BYTE, 10, (byte) 8);

        assertThat(kept.bytes().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        assertThat(buffers.roomFor(1 << 16))
                .as("what is kept where a byte is missing")
                .isEqualTo(16 << 10);
        kept.close();
        kept.close();
        assertThat(buffers.roomFor(1 << 16)).isEqualTo(1 << 16);
        assertThat(counters.keptBytes.get()).isZero();
        assertThat(buffers.takeSpare()).as("a copy is nobody's buffer").isNull();
    }
}
