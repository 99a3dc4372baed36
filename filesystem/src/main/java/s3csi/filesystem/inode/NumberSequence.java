package s3csi.filesystem.inode;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers that are given out once each, in ascending order. The kernel remembers them for as long as the mount lives, also where another
 * process goes on with it: that one begins where the one before cannot have come.
 */
public final class NumberSequence {
    private final AtomicLong next;

    public NumberSequence(long first) {
        this.next = new AtomicLong(first);
    }

    public long next() {
        return next.getAndIncrement();
    }
}
