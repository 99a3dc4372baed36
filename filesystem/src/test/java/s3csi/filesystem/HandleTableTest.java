package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.inode.NumberSequence;

class HandleTableTest {
    private final NumberSequence generations = new NumberSequence(1);
    private final HandleTable<String> table = new HandleTable<>(generations, 1);

    @Test
    void aNumberIsNeverUsedTwiceAndItsPlaceIs() {
        Set<Long> numbers = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            long number = table.add("file");
            assertThat(numbers.add(number)).isTrue();
            assertThat(table.remove(number)).isEqualTo("file");
        }
        // The place of a file is in the middle of its number.
        assertThat(numbers).allMatch(number -> (int) (number >>> 2) == 0);
    }

    @Test
    void whatWasClosedIsNotFoundByItsNumber() {
        long first = table.add("first");
        table.remove(first);
        long second = table.add("second");
        assertThat(table.find(first)).isNull();
        assertThat(table.remove(first)).isNull();
        assertThat(table.find(second)).isEqualTo("second");
        assertThat(table.all()).containsExactly("second");
    }

    @Test
    void manyAreFoundWhileTheTableGrows() {
        long[] numbers = new long[1000];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = table.add("file " + i);
        }
        for (int i = 0; i < numbers.length; i++) {
            assertThat(table.find(numbers[i])).isEqualTo("file " + i);
        }
        assertThat(table.all()).hasSize(1000);
    }

    @Test
    void numbersOfAnotherKindAreNotFound() {
        HandleTable<String> other = new HandleTable<>(generations, 2);
        long number = table.add("file");
        other.add("other");
        assertThat(other.find(number)).isNull();
        assertThat(table.find(-1)).isNull();
        assertThat(table.find(Long.MAX_VALUE)).isNull();
    }
}
