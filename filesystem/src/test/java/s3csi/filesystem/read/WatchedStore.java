package s3csi.filesystem.read;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.GetAnswer;
import s3csi.s3.GetRequest;
import s3csi.s3.ObjectStore;

/** Another store whose GETs are noted: what was asked for, how many bytes came. Before each piece of a body a test may step in. */
public final class WatchedStore {
    /** Called before bytes are handed on. */
    public interface BeforeBytes {
        void arrive(long offset, int count) throws InterruptedException;
    }

    private final ObjectStore store;
    private final List<ByteRange> asked = new CopyOnWriteArrayList<>();
    private final Set<Long> firsts = ConcurrentHashMap.newKeySet();
    private final AtomicLong received = new AtomicLong();
    private volatile BeforeBytes before = (_, _) -> {};

    public WatchedStore(ObjectStore watched) {
        store = (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (_, method, arguments) -> {
                    if (arguments != null
                            && arguments.length == 2
                            && arguments[0] instanceof GetRequest request
                            && arguments[1] instanceof BodySink sink) {
                        asked.add(request.range());
                        firsts.add(request.range().offset());
                        arguments[1] = new WatchedSink(sink, request.range().offset());
                    }
                    try {
                        return method.invoke(watched, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    public ObjectStore store() {
        return store;
    }

    public void beforeBytes(BeforeBytes action) {
        before = action;
    }

    /** The ranges asked for so far. */
    public List<ByteRange> asked() {
        return asked;
    }

    /** Whether a range that was asked for begins there. */
    public boolean isFirst(long offset) {
        return firsts.contains(offset);
    }

    /** Bytes that came so far. */
    public long received() {
        return received.get();
    }

    private final class WatchedSink implements BodySink {
        private final BodySink sink;
        private long at;

        WatchedSink(BodySink sink, long at) {
            this.sink = sink;
            this.at = at;
        }

        @Override
        public void begin(GetAnswer answer) {
            sink.begin(answer);
        }

        @Override
        public MemorySegment space(long offset, long remaining) {
            return sink.space(offset, remaining);
        }

        @Override
        public boolean received(int count) {
            try {
                before.arrive(at, count);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            at += count;
            received.addAndGet(count);
            return sink.received(count);
        }
    }
}
