package s3csi.filesystem.write;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.memory.BufferPool;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.GetRequest;
import s3csi.s3.ObjectStore;
import s3csi.s3.Quoted;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;

/** Fetches what was stored back into a part, so that it can be written on. */
final class StoredBytes {
    private StoredBytes() {}

    /** Interrupted or failed, the part holds an unknown number of them. */
    static void fetch(ObjectStore store, String key, StoredCopy stored, FilledPart part)
            throws FileException, InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            Sink sink = new Sink(arena.allocate(BufferPool.BUFFER_SIZE), part);
            ByteRange all = new ByteRange(0, stored.size());
            store.get(new GetRequest(key, all, stored.etag(), stored.size()), sink);
            if (sink.interrupted) {
                throw new InterruptedException();
            }
            if (part.size() != stored.size()) {
                throw new StoreException(
                        new StoreFailure.Integrity(),
                        StoreOperation.GET_OBJECT,
                        StoreException.Answer.NONE,
                        "the store sent " + part.size() + " of the " + stored.size() + " bytes that were stored in "
                                + Quoted.text(key) + ", so nothing can be written behind them");
            }
        } catch (StoreException e) {
            if (e.failure() instanceof StoreFailure.Cancelled && Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw FileException.ofUpload(e);
        }
    }

    private static final class Sink implements BodySink {
        private final MemorySegment window;
        private final FilledPart part;
        private long filled;
        private boolean interrupted;

        Sink(MemorySegment window, FilledPart part) {
            this.window = window;
            this.part = part;
        }

        @Override
        public MemorySegment space(long offset, long remaining) {
            filled = 0;
            return window;
        }

        @Override
        public boolean received(int count) {
            try {
                part.append(window.asSlice(filled, count));
                filled += count;
                return true;
            } catch (InterruptedException _) {
                interrupted = true;
                return false;
            }
        }
    }
}
