package s3csi.s3.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Closes connections whose deadline has passed. One virtual thread looks at all of them a few times per timeout, for as long as
 * there are any: setting a deadline is then one volatile write, where a timer per read would cost more than the read.
 */
final class Watchdog {
    private final long tickMillis;
    private final Set<HttpConnection> watched = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean running = new AtomicBoolean();

    Watchdog(Timeouts timeouts) {
        long shortest =
                Math.min(timeouts.firstByte().toMillis(), timeouts.idle().toMillis());
        tickMillis = Math.clamp(shortest / 8, 5, 1000);
    }

    void watch(HttpConnection connection) {
        watched.add(connection);
        if (running.compareAndSet(false, true)) {
            Thread.ofVirtual().name("s3-watchdog").start(this::run);
        }
    }

    void forget(HttpConnection connection) {
        watched.remove(connection);
    }

    Set<HttpConnection> watched() {
        return watched;
    }

    private void run() {
        do {
            while (!watched.isEmpty()) {
                pause();
                long now = System.nanoTime();
                watched.forEach(connection -> connection.closeIfOver(now));
            }
            running.set(false);
            // A connection may have come between the last look and the line above.
        } while (!watched.isEmpty() && running.compareAndSet(false, true));
    }

    private void pause() {
        try {
            Thread.sleep(tickMillis);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the watchdog", e);
        }
    }
}
