package s3csi.fuse.session;

import java.util.ArrayDeque;

/** Outboxes for answers that are given on other threads than the device's: a few are kept, more are made when needed. */
final class Outboxes {
    private static final int KEPT = 16;

    private final ArrayDeque<Outbox> free = new ArrayDeque<>(KEPT);

    Outbox take() {
        synchronized (free) {
            Outbox kept = free.pollLast();
            if (kept != null) {
                return kept;
            }
        }
        return new Outbox();
    }

    void giveBack(Outbox outbox) {
        synchronized (free) {
            if (free.size() < KEPT) {
                free.addLast(outbox);
            }
        }
    }
}
