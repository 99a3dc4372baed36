package s3csi.filesystem.write;

import s3csi.filesystem.failure.FileException;

/** What one file may take of the memory for the part it fills: nothing, some buffers, or a whole part. Not for several threads at once. */
final class Claim {
    private final WriterSlots slots;
    private int shared;
    private boolean isPart;
    private boolean isAtWork;

    Claim(WriterSlots slots) {
        this.slots = slots;
    }

    /** Whether it is to a whole part, which others may be waiting for. */
    boolean isPart() {
        return isPart;
    }

    /** Makes sure that the part may take so many buffers; false if that has to be waited for. */
    boolean tryCover(int buffers) {
        if (isPart || buffers <= shared) {
            return true;
        }
        if (buffers <= WriterSlots.SMALL && slots.tryShare(buffers - shared)) {
            shared = buffers;
            return true;
        }
        if (slots.tryTakePart()) {
            becomePart();
            return true;
        }
        return false;
    }

    /** The same, and waits. */
    void cover(int buffers) throws FileException, InterruptedException {
        if (!tryCover(buffers)) {
            slots.takePart();
            becomePart();
        }
    }

    private void becomePart() {
        isPart = true;
        if (isAtWork) {
            slots.begins();
        }
        giveShared();
    }

    /** The memory was given back, or is on its way to the store. */
    void giveUp() {
        giveShared();
        if (isPart) {
            isPart = false;
            if (isAtWork) {
                slots.ends();
            }
            slots.givePart();
        }
    }

    private void giveShared() {
        if (shared > 0) {
            slots.giveShared(shared);
            shared = 0;
        }
    }

    interface Work<T> {
        T run() throws FileException, InterruptedException;
    }

    /** Runs what may wait, but not for the program: meanwhile others may hope for the part. */
    <T> T atWork(Work<T> work) throws FileException, InterruptedException {
        isAtWork = true;
        if (isPart) {
            slots.begins();
        }
        try {
            return work.run();
        } finally {
            isAtWork = false;
            if (isPart) {
                slots.ends();
            }
        }
    }
}
