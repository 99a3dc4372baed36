package s3csi.filesystem.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.PoolFixture;

/** Records, and an index of them, against a map. */
class RecordsTest extends PoolFixture {
    private static final int KEY = 0;
    private static final int LINK = 8;
    private static final int VALUE = 12;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void recordsAreWhatAMapOfThemSays(long seed) {
        Random random = new Random(seed);
        Records records = new Records(pool);
        RecordIndex index = new RecordIndex(pool, links(records));
        Map<Long, Integer> model = new HashMap<>();
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            // Grows, shrinks to nothing, and grows again.
            boolean grows = (i / 40_000) % 2 == 0 ? random.nextInt(4) != 0 : random.nextInt(4) == 0;
            if (grows || keys.isEmpty()) {
                long key = 1L + random.nextInt(1 << 20);
                if (!model.containsKey(key)) {
                    int record = records.allocate(16 + random.nextInt(100));
                    assertThat(record).as("seed " + seed).isPositive();
                    records.memory(record).set(JAVA_LONG, records.offset(record) + KEY, key);
                    records.memory(record).set(JAVA_INT, records.offset(record) + VALUE, i);
                    assertThat(index.add(record)).isTrue();
                    model.put(key, i);
                    keys.add(key);
                }
            } else {
                int at = random.nextInt(keys.size());
                long key = keys.get(at);
                keys.set(at, keys.getLast());
                keys.removeLast();
                int record = find(records, index, key);
                assertThat(records.memory(record).get(JAVA_INT, records.offset(record) + VALUE))
                        .as("seed " + seed)
                        .isEqualTo(model.remove(key));
                index.remove(record);
                records.free(record);
            }
        }
        Set<Long> walked = new HashSet<>();
        for (int each = records.next(0); each != 0; each = records.next(each)) {
            walked.add(records.memory(each).get(JAVA_LONG, records.offset(each) + KEY));
        }
        assertThat(walked).as("seed " + seed).isEqualTo(model.keySet());
        for (long key : keys) {
            int record = find(records, index, key);
            index.remove(record);
            records.free(record);
        }
        assertThat(records.bytes()).isZero();
    }

    @Test
    void aWalkGoesOnWhereOthersTookThePlaceOfTheRecord() {
        Records records = new Records(pool);
        List<Integer> gone = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            gone.add(allocate(records, 104, 1));
        }
        int last = gone.get(2);
        gone.forEach(records::free);
        Set<Integer> present = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            present.add(allocate(records, 88, -1));
        }

        for (int each = records.next(last); each != 0; each = records.next(each)) {
            assertThat(present).contains(each);
        }
        present.forEach(records::free);
    }

    /** A record that has the same value everywhere. */
    private static int allocate(Records records, int bytes, long value) {
        int record = records.allocate(bytes);
        for (int i = 0; i < bytes; i += Long.BYTES) {
            records.memory(record).set(JAVA_LONG, records.offset(record) + i, value);
        }
        return record;
    }

    @Test
    void namesHaveABoundOfTheirOwn() {
        Records records = new Records(pool);
        int count = 0;
        while (records.allocate(104) != 0) {
            count++;
        }

        assertThat(count).isGreaterThan((int) (pool.mostForNames() / 104 / 100 * 99));
        assertThat(pool.used(Priority.NAMES)).isEqualTo(pool.mostForNames());
        assertThat(pool.used()).isEqualTo(pool.mostForNames());
        records.clear();
    }

    private static int find(Records records, RecordIndex index, long key) {
        int record = index.first(Long.hashCode(key));
        while (record != 0 && records.memory(record).get(JAVA_LONG, records.offset(record) + KEY) != key) {
            record = records.memory(record).get(JAVA_INT, records.offset(record) + LINK);
        }
        return record;
    }

    private static RecordIndex.Links links(Records records) {
        return new RecordIndex.Links() {
            @Override
            public int hash(int record) {
                return Long.hashCode(records.memory(record).get(JAVA_LONG, records.offset(record) + KEY));
            }

            @Override
            public int next(int record) {
                return records.memory(record).get(JAVA_INT, records.offset(record) + LINK);
            }

            @Override
            public void setNext(int record, int next) {
                records.memory(record).set(JAVA_INT, records.offset(record) + LINK, next);
            }
        };
    }
}
