package s3csi.s3.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AddressBookTest {
    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void connectionsBeginWithEachAddressInTurn() throws Exception {
        AddressBook book = new AddressBook("host", _ -> new InetAddress[] {address(1), address(2), address(3)});
        Set<InetAddress> firsts = new HashSet<>();

        for (int i = 0; i < 3; i++) {
            List<InetAddress> candidates = book.candidates();
            assertThat(candidates).hasSize(3);
            firsts.add(candidates.getFirst());
        }

        assertThat(firsts).containsExactlyInAnyOrder(address(1), address(2), address(3));
    }

    @Test
    void anAddressThatFailedComesLastUntilItWorks() throws Exception {
        AddressBook book = new AddressBook("host", _ -> new InetAddress[] {address(1), address(2)});
        book.failed(address(1));

        assertThat(book.candidates()).containsExactly(address(2), address(1));
        assertThat(book.candidates()).containsExactly(address(2), address(1));

        book.worked(address(1));
        InetAddress one = book.candidates().getFirst();
        InetAddress other = book.candidates().getFirst();
        assertThat(List.of(one, other)).containsExactlyInAnyOrder(address(1), address(2));
    }

    @Test
    void anAddressThatFailedIsTriedAgainAfterAWhile() throws Exception {
        AtomicLong now = new AtomicLong();
        AddressBook book = new AddressBook("host", _ -> new InetAddress[] {address(1), address(2)}, now::get);
        book.failed(address(1));
        now.addAndGet(Duration.ofSeconds(30).toNanos());
        assertThat(firstOfTwo(book)).containsOnly(address(2));
        now.addAndGet(1);
        assertThat(firstOfTwo(book)).containsExactlyInAnyOrder(address(1), address(2));
    }

    private static List<InetAddress> firstOfTwo(AddressBook book) throws Exception {
        return List.of(book.candidates().getFirst(), book.candidates().getFirst());
    }

    @Test
    void aNewAddressIsUsedAtOnce() throws Exception {
        AtomicReference<InetAddress> current = new AtomicReference<>(address(1));
        AddressBook book = new AddressBook("host", _ -> new InetAddress[] {current.get()});
        assertThat(book.candidates()).containsExactly(address(1));

        current.set(address(2));

        assertThat(book.candidates()).containsExactly(address(2));
    }
}
