package s3csi.filesystem.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static s3csi.filesystem.memory.BufferPool.BUFFER_SIZE;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.PoolFixture;

final class PartBufferTest extends PoolFixture {
    private static final int PART = 8 << 20;

    @Test
    void aSmallFileTakesLittleMemory() throws InterruptedException {
        try (PartBuffer part = new PartBuffer(pool, PART)) {
            assertThat(pool.used()).isZero();
            assertThat(part.append(bytes(4096), 0, 4096)).isEqualTo(4096);
            assertThat(pool.used()).isEqualTo(BUFFER_SIZE);
        }
    }

    @Test
    void whatComesOutIsWhatWentIn() throws InterruptedException {
        byte[] content = new byte[PART];
        new Random(7).nextBytes(content);
        MemorySegment source = MemorySegment.ofArray(content);
        try (PartBuffer part = new PartBuffer(pool, PART)) {
            int at = 0;
            while (part.remaining() > 0) {
                at += (int) part.append(source, at, Math.min(300_001, PART - at));
            }
            assertThat(part.append(source, 0, 1))
                    .as("bytes taken by a full part")
                    .isZero();
            assertThat(contentOf(part)).isEqualTo(content);
            part.clear();
            assertThat(pool.used()).isZero();
            part.append(source, 5, 3);
            assertThat(contentOf(part)).containsExactly(content[5], content[6], content[7]);
        }
    }

    @Test
    void withoutMemoryItTakesWhatItHasRoomFor() throws InterruptedException {
        try (PartBuffer part = new PartBuffer(pool, PART)) {
            part.append(bytes(100), 0, 100);
            List<Reservation> others = everything();

            assertThat(part.tryAppend(bytes(PART), 0, PART)).isEqualTo(BUFFER_SIZE - 100);
            assertThat(part.size()).isEqualTo(BUFFER_SIZE);

            others.forEach(Reservation::close);
            assertThat(part.tryAppend(bytes(PART), 0, PART)).isEqualTo(PART - BUFFER_SIZE);
        }
    }

    private List<Reservation> everything() {
        List<Reservation> all = new ArrayList<>();
        for (Reservation next = pool.tryReserve(Priority.WRITE, 1); next != null; ) {
            all.add(next);
            next = pool.tryReserve(Priority.WRITE, 1);
        }
        return all;
    }

    @Test
    void memoryGrowsByDoubling() throws InterruptedException {
        try (PartBuffer part = new PartBuffer(pool, PART - 5)) {
            assertThat(part.buffersWith(0)).isZero();
            assertThat(part.buffersWith(1)).isEqualTo(1);
            assertThat(part.buffersWith(BUFFER_SIZE + 1)).isEqualTo(2);
            assertThat(part.buffersWith(3 * BUFFER_SIZE)).isEqualTo(4);
            part.append(bytes(3 * BUFFER_SIZE), 0, 3 * BUFFER_SIZE);
            assertThat(pool.used()).isEqualTo(4 * BUFFER_SIZE);
            assertThat(part.buffersWith(BUFFER_SIZE)).isEqualTo(4);
            assertThat(part.buffersWith(2 * BUFFER_SIZE)).isEqualTo(8);
            assertThat(part.buffersWith(PART)).isEqualTo(64);
        }
    }

    @Test
    void aPartThatCanNeverFitIsRefused() {
        assertThatThrownBy(() -> new PartBuffer(pool, pool.budget()))
                .hasMessageContaining("choose smaller parts or more memory");
    }

    private static MemorySegment bytes(int count) {
        return MemorySegment.ofArray(new byte[count]);
    }

    private static byte[] contentOf(PartBuffer part) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (MemorySegment segment : part.segments()) {
            out.writeBytes(segment.toArray(ValueLayout.JAVA_BYTE));
        }
        return out.toByteArray();
    }
}
