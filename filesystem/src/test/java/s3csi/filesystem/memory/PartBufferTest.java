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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import s3csi.linux.LinuxException;

final class PartBufferTest {
    private static final int PART = 8 << 20;

    private BufferPool pool;

    @BeforeEach
    void map() throws LinuxException {
        pool = new BufferPool(BufferPool.MINIMUM_BUDGET);
    }

    @AfterEach
    void everythingIsBack() {
        assertThat(pool.used()).isZero();
        pool.close();
    }

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
    void withoutMemoryItTakesWhatFitsAndSaysSo() throws InterruptedException {
        List<PartBuffer> others = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            PartBuffer other = new PartBuffer(pool, PART);
            other.append(bytes(PART), 0, PART);
            others.add(other);
        }
        try (PartBuffer part = new PartBuffer(pool, PART)) {
            long taken = part.tryAppend(bytes(PART), 0, PART);
            assertThat(taken).isGreaterThan(0).isLessThan(PART);
            assertThat(part.size()).isEqualTo(taken);
        }
        others.forEach(PartBuffer::close);
    }

    @Test
    void manyWritersAtOnceAllEnd() throws Exception {
        MemorySegment source = bytes(PART);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                writers.add(threads.submit(() -> {
                    try (PartBuffer part = new PartBuffer(pool, PART)) {
                        while (part.remaining() > 0) {
                            part.append(source, 0, 100_000);
                            LockSupport.parkNanos(1);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : writers) {
                each.get();
            }
        }
        assertThat(pool.peak()).isLessThanOrEqualTo(pool.budget());
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
