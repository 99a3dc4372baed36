package s3csi.s3.testing;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.Condition;
import s3csi.s3.CopySource;
import s3csi.s3.ETag;
import s3csi.s3.GetAnswer;
import s3csi.s3.GetRequest;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectInfo;
import s3csi.s3.ObjectStore;
import s3csi.s3.Payload;
import s3csi.s3.PendingUploads;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.UploadedPart;

/**
 * Another store, with faults on command: at the n-th request of a kind, at all of them, or at random from a seed. Requests are
 * counted per kind, from 1.
 */
public final class FaultyObjectStore implements ObjectStore {
    private final ObjectStore store;
    private final Map<StoreOperation, Integer> seen = new EnumMap<>(StoreOperation.class);
    private final Map<StoreOperation, Map<Integer, Fault>> planned = new EnumMap<>(StoreOperation.class);
    private final Map<StoreOperation, Fault> always = new EnumMap<>(StoreOperation.class);
    private final AtomicInteger cancelled = new AtomicInteger();
    private @Nullable RandomFault random;

    public FaultyObjectStore(ObjectStore store) {
        this.store = store;
    }

    /** At the n-th request of this kind. */
    public synchronized FaultyObjectStore at(StoreOperation operation, int n, Fault fault) {
        planned.computeIfAbsent(operation, _ -> new HashMap<>()).put(n, fault);
        return this;
    }

    /** At every request of this kind, until {@link #heal}. */
    public synchronized FaultyObjectStore always(StoreOperation operation, Fault fault) {
        always.put(operation, fault);
        return this;
    }

    /** At a share of all requests, drawn from the generator in the order in which requests come. */
    public synchronized FaultyObjectStore randomly(double share, Fault fault, RandomGenerator generator) {
        random = new RandomFault(share, fault, generator);
        return this;
    }

    public synchronized void heal() {
        planned.clear();
        always.clear();
        random = null;
    }

    private record RandomFault(double share, Fault fault, RandomGenerator generator) {}

    private interface Request<T> {
        T send() throws StoreException;
    }

    private synchronized @Nullable Fault next(StoreOperation operation) {
        int n = seen.merge(operation, 1, Integer::sum);
        Fault fault = planned.getOrDefault(operation, Map.of()).get(n);
        if (fault == null) {
            fault = always.get(operation);
        }
        if (fault == null && random != null && random.generator.nextDouble() < random.share) {
            fault = random.fault;
        }
        return fault;
    }

    private <T> T send(StoreOperation operation, Request<T> request) throws StoreException {
        return suffer(next(operation), operation, request);
    }

    /** How many requests were given up by their callers while they were held or delayed. */
    public int cancelled() {
        return cancelled.get();
    }

    private <T> T suffer(@Nullable Fault fault, StoreOperation operation, Request<T> request) throws StoreException {
        if (fault == null) {
            return request.send();
        }
        return switch (fault) {
            case Fault.Fail(StoreFailure failure) -> throw failed(operation, failure);
            case Fault.FailAfter(long _, StoreFailure failure) -> throw failed(operation, failure);
            case Fault.StallAfter _ -> throw new IllegalArgumentException(operation + " delivers no bytes");
            case Fault.LoseAnswer(StoreFailure failure) -> {
                request.send();
                throw failed(operation, failure);
            }
            case Fault.Crash() -> throw Fault.ON_PURPOSE;
            case Fault.Delay delay -> {
                pause(operation, () -> Thread.sleep(delay.pause()));
                yield request.send();
            }
            case Fault.Hold hold -> {
                hold.reached().countDown();
                pause(operation, hold.released()::await);
                yield request.send();
            }
        };
    }

    private interface Pause {
        void take() throws InterruptedException;
    }

    private void pause(StoreOperation operation, Pause pause) throws StoreException {
        try {
            pause.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancelled.incrementAndGet();
            throw failed(operation, new StoreFailure.Cancelled());
        }
    }

    private static StoreException failed(StoreOperation operation, StoreFailure failure) {
        return new StoreException(
                failure, operation, StoreException.Answer.NONE, operation.label() + " failed on purpose: " + failure);
    }

    @Override
    public GetAnswer get(GetRequest request, BodySink sink) throws StoreException {
        Fault fault = next(StoreOperation.GET_OBJECT);
        if (fault instanceof Fault.FailAfter(long bytes, StoreFailure failure)) {
            store.get(request, new CutSink(sink, bytes));
            throw failed(StoreOperation.GET_OBJECT, failure);
        }
        if (fault instanceof Fault.StallAfter(long bytes, CountDownLatch reached)) {
            store.get(request, new CutSink(sink, bytes));
            reached.countDown();
            pause(StoreOperation.GET_OBJECT, new CountDownLatch(1)::await);
        }
        return suffer(fault, StoreOperation.GET_OBJECT, () -> store.get(request, sink));
    }

    /** Hands on so many bytes and no more. */
    private static final class CutSink implements BodySink {
        private final BodySink sink;
        private long left;

        CutSink(BodySink sink, long bytes) {
            this.sink = sink;
            this.left = bytes;
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
            int passed = (int) Math.min(count, left);
            left -= passed;
            return (passed == 0 || sink.received(passed)) && left > 0;
        }
    }

    @Override
    public ObjectInfo head(String key) throws StoreException {
        return send(StoreOperation.HEAD_OBJECT, () -> store.head(key));
    }

    @Override
    public ListingPage list(ListRequest request) throws StoreException {
        return send(StoreOperation.LIST_OBJECTS, () -> store.list(request));
    }

    @Override
    public ETag put(String key, Payload body, ObjectAttributes attributes, Condition condition) throws StoreException {
        return send(StoreOperation.PUT_OBJECT, () -> store.put(key, body, attributes, condition));
    }

    @Override
    public Upload createUpload(String key, ObjectAttributes attributes) throws StoreException {
        return send(StoreOperation.CREATE_UPLOAD, () -> store.createUpload(key, attributes));
    }

    @Override
    public Upload createUploadWithCopies(String key, ObjectAttributes attributes) throws StoreException {
        return send(StoreOperation.CREATE_UPLOAD, () -> store.createUploadWithCopies(key, attributes));
    }

    @Override
    public UploadedPart uploadPart(Upload upload, int number, Payload body) throws StoreException {
        return send(StoreOperation.UPLOAD_PART, () -> store.uploadPart(upload, number, body));
    }

    @Override
    public UploadedPart copyPart(Upload upload, int number, CopySource source, ByteRange range) throws StoreException {
        return send(StoreOperation.COPY_PART, () -> store.copyPart(upload, number, source, range));
    }

    @Override
    public ETag completeUpload(Upload upload, List<UploadedPart> parts, Condition condition) throws StoreException {
        return send(StoreOperation.COMPLETE_UPLOAD, () -> store.completeUpload(upload, parts, condition));
    }

    @Override
    public void abortUpload(Upload upload) throws StoreException {
        send(StoreOperation.ABORT_UPLOAD, () -> {
            store.abortUpload(upload);
            return upload;
        });
    }

    @Override
    public PendingUploads listUploads(String prefix, PendingUploads.@Nullable Marker after) throws StoreException {
        return send(StoreOperation.LIST_UPLOADS, () -> store.listUploads(prefix, after));
    }

    @Override
    public void delete(String key) throws StoreException {
        send(StoreOperation.DELETE_OBJECT, () -> {
            store.delete(key);
            return key;
        });
    }

    @Override
    public ETag copy(CopySource source, String key, Condition condition) throws StoreException {
        return send(StoreOperation.COPY_OBJECT, () -> store.copy(source, key, condition));
    }

    @Override
    public void close() {
        store.close();
    }
}
