package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CursorTest {
    private static final long MIB = 1 << 20;
    private static final long MILLI = 1_000_000;
    private static final long PLENTY = 1L << 40;
    private static final int READ = 128 * 1024;

    private final Transfers transfers = new Transfers(() -> 0);
    private final Cursor cursor = new Cursor(0, false, 0, 0, 0);
    private long offset;
    private long nanos;
    private long reads;

    @Test
    void aRunIsSequentialOnceItHasReadEnoughWithoutGaps() {
        Cursor elsewhere = new Cursor(MIB, false, 0, 0, 0);
        assertThat(proves(elsewhere, MIB, READ)).isFalse();
        assertThat(proves(elsewhere, MIB + READ, READ)).isFalse();
        assertThat(proves(elsewhere, MIB + 2 * READ, READ)).isFalse();
        assertThat(proves(elsewhere, MIB + 3 * READ, READ)).isTrue();
        assertThat(proves(elsewhere, MIB + 4 * READ, READ)).as("proven once").isFalse();
    }

    @Test
    void aRunWithGapsIsNotSequential() {
        Cursor gaps = new Cursor(0, false, 0, 0, 0);
        for (long i = 0; i < 50; i++) {
            assertThat(proves(gaps, i * 3 * READ, READ)).isFalse();
        }
    }

    @Test
    void theWindowGrowsWhileTheNetworkDeliversMore() {
        transfers.add(8 * MIB, 20 * MILLI, 8 * MILLI);
        long before = sequential();
        // Each window takes one round trip: twice the window is twice the speed.
        for (int i = 0; i < 3; i++) {
            readWindow(30 * MILLI);
            cursor.stalled(transfers, 8 * MIB, PLENTY);
            assertThat(cursor.window(PLENTY)).isGreaterThan(before);
            before = cursor.window(PLENTY);
        }
    }

    @Test
    void theWindowStopsGrowingWhereMoreOfItBringsNothing() {
        transfers.add(8 * MIB, 20 * MILLI, 8 * MILLI);
        sequential();
        for (int i = 0; i < 50; i++) {
            long window = cursor.window(PLENTY);
            // 500 MiB/s whatever the window is.
            readWindow(window * 1_000_000_000L / (500 * MIB));
            cursor.stalled(transfers, 8 * MIB, PLENTY);
        }
        long product = 500 * MIB * 28 / 1000;
        assertThat(cursor.window(PLENTY)).isLessThan(3 * product);
    }

    @Test
    void theWindowStaysWithinItsShareOfMemory() {
        transfers.add(8 * MIB, 20 * MILLI, 8 * MILLI);
        sequential();
        for (int i = 0; i < 10; i++) {
            readWindow(30 * MILLI);
            cursor.stalled(transfers, 8 * MIB, 48 * MIB);
        }
        assertThat(cursor.window(48 * MIB)).isEqualTo(48 * MIB);
        assertThat(cursor.window(PLENTY)).isEqualTo(48 * MIB);
    }

    private boolean proves(Cursor run, long from, int length) {
        run.consume(from, from + length, ++reads, nanos);
        return run.proves();
    }

    private long sequential() {
        while (!cursor.isSequential()) {
            proves(cursor, offset, READ);
            offset += READ;
        }
        return cursor.window(PLENTY);
    }

    private void readWindow(long takes) {
        long end = offset + cursor.window(PLENTY);
        long each = takes / ((end - offset) / READ);
        while (offset < end) {
            nanos += each;
            cursor.consume(offset, offset + READ, ++reads, nanos);
            offset += READ;
        }
    }
}
