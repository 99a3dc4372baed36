package s3csi.filesystem.memory;

/** How many buffers are reserved or taken, and for what. Guarded by the lock of the pool. */
final class Usage {
    private int reads;
    private int writes;
    private int prefetches;
    private int names;
    private int peak;

    int total() {
        return data() + names;
    }

    int data() {
        return reads + writes + prefetches;
    }

    int peak() {
        return peak;
    }

    int of(Priority priority) {
        return switch (priority) {
            case FOREGROUND_READ -> reads;
            case WRITE -> writes;
            case PREFETCH -> prefetches;
            case NAMES -> names;
        };
    }

    void add(Priority priority, int buffers) {
        switch (priority) {
            case FOREGROUND_READ -> reads += buffers;
            case WRITE -> writes += buffers;
            case PREFETCH -> prefetches += buffers;
            case NAMES -> names += buffers;
        }
        peak = Math.max(peak, total());
    }
}
