package s3csi.s3.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * All addresses of a host, in the order to try them: each new connection begins with the next one, so that load spreads over all
 * of them; those that failed lately come last.
 */
final class AddressBook {
    private static final long GRUDGE = TimeUnit.SECONDS.toNanos(30);

    private final String host;
    private final Resolver resolver;
    private final LongSupplier clock;
    private final AtomicInteger turn = new AtomicInteger();
    private final Map<InetAddress, Long> failures = new ConcurrentHashMap<>();

    /** Looks names up; asked for every connection, and free to cache. */
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    AddressBook(String host, Resolver resolver) {
        this(host, resolver, System::nanoTime);
    }

    AddressBook(String host, Resolver resolver, LongSupplier nanoClock) {
        this.host = host;
        this.resolver = resolver;
        this.clock = nanoClock;
    }

    List<InetAddress> candidates() throws IOException {
        InetAddress[] all = resolver.resolve(host);
        int first = Math.floorMod(turn.getAndIncrement(), all.length);
        List<InetAddress> good = new ArrayList<>(all.length);
        List<InetAddress> bad = new ArrayList<>(0);
        long now = clock.getAsLong();
        for (int i = 0; i < all.length; i++) {
            InetAddress address = all[(first + i) % all.length];
            Long failed = failures.get(address);
            if (failed == null || now - failed > GRUDGE) {
                good.add(address);
            } else {
                bad.add(address);
            }
        }
        good.addAll(bad);
        return good;
    }

    void failed(InetAddress address) {
        failures.put(address, clock.getAsLong());
    }

    void worked(InetAddress address) {
        failures.remove(address);
    }
}
