package s3csi.filesystem.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.memory.BufferPool;
import s3csi.linux.LinuxException;
import s3csi.s3.ETag;

class BlockIndexTest {
    private BufferPool pool;
    private BlockIndex index;

    @BeforeEach
    void open() throws LinuxException {
        pool = new BufferPool(128L << 20);
        index = new BlockIndex(pool);
    }

    @AfterEach
    void everythingIsBack() {
        index.close();
        assertThat(pool.used()).isZero();
        pool.close();
    }

    private static ObjectHash object(int number) {
        return ObjectHash.of("bucket", "key" + number, new ETag("e"));
    }

    private record Block(int object, int number) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void itIsWhatAMapInOrderOfUseSays(long seed) {
        Random random = new Random(seed);
        Map<Block, Integer> model = new LinkedHashMap<>(16, 0.75f, true);
        for (int i = 0; i < 20_000; i++) {
            Block block = new Block(random.nextInt(30), random.nextInt(30));
            ObjectHash object = object(block.object);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    int size = 1 + random.nextInt(1000);
                    assertThat(index.add(object, block.number, size)).isTrue();
                    model.put(block, size);
                }
                case 3, 4, 5 ->
                    assertThat(index.use(object, block.number))
                            .as("seed " + seed)
                            .isEqualTo(model.get(block) != null);
                case 6 -> {
                    index.remove(object, block.number);
                    model.remove(block);
                }
                default -> {
                    BlockIndex.Evicted evicted = index.evictOldest();
                    if (evicted == null) {
                        assertThat(model).as("seed " + seed).isEmpty();
                    } else {
                        Block oldest = model.keySet().iterator().next();
                        model.remove(oldest);
                        assertThat(evicted.number()).as("seed " + seed).isEqualTo(oldest.number);
                        assertThat(evicted.object().hex())
                                .isEqualTo(object(oldest.object).hex());
                    }
                }
            }
            assertThat(index.size()).as("seed " + seed).isEqualTo(model.size());
        }
        assertThat(index.bytes())
                .isEqualTo(model.values().stream().mapToLong(each -> each).sum());
    }

    @Test
    void whatWasFoundGoesBeforeWhatWasUsedSinceTheOldestFirst() {
        index.addFound(object(1), 1, 10, 2_000);
        index.add(object(2), 2, 10);
        index.addFound(object(3), 3, 10, 1_000);
        index.addFound(object(4), 4, 10, 3_000);
        index.use(object(4), 4);
        index.sortFound(10_000);

        List<Integer> order = new ArrayList<>();
        for (BlockIndex.Evicted each = index.evictOldest(); each != null; each = index.evictOldest()) {
            order.add(each.number());
        }
        assertThat(order).containsExactly(3, 1, 2, 4);
    }

    @Test
    void blocksTakeMemoryOfThePoolAndLeaveRoomForNames() {
        int remembered = 0;
        ObjectHash object = object(1);
        while (remembered < BlockIndex.MOST_BLOCKS && index.addFound(object, remembered, 10, remembered)) {
            remembered++;
        }
        index.sortFound(BlockIndex.MOST_BLOCKS);

        assertThat(remembered).isGreaterThan(90_000);
        assertThat(pool.used()).isPositive().isLessThanOrEqualTo(pool.mostForNames() / 16 * 10);
        assertThat(index.evictOldest()).isNotNull();
        // There is room again.
        assertThat(index.add(object(2), 1, 10)).isTrue();
    }
}
