package s3csi.s3.testing;

import java.lang.foreign.MemorySegment;
import java.time.Clock;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
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
import s3csi.s3.RestoreStatus;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.UploadedPart;

/**
 * A bucket in memory that keeps the contract of {@link ObjectStore}, for tests of what is built on it. It counts requests, can
 * list in any order and page size, and holds huge objects of computed content.
 */
public final class MemoryObjectStore implements ObjectStore {
    private static final String WITH_COPIES = "upload-with-copies-";

    private final Clock clock;
    private final ConcurrentSkipListMap<String, StoredObject> objects =
            new ConcurrentSkipListMap<>(MemoryListing.BYTE_ORDER);
    private final Map<String, MemoryUpload> uploads = new ConcurrentHashMap<>();
    private final Map<StoreOperation, LongAdder> requests = new EnumMap<>(StoreOperation.class);
    private final AtomicLong nextUpload = new AtomicLong(1);
    private volatile int pageLimit = ListRequest.FULL_PAGE;
    private volatile OptionalLong shuffle = OptionalLong.empty();
    private volatile long minimumPart;
    private volatile int chunk = 128 * 1024;
    private volatile boolean closed;

    public MemoryObjectStore() {
        this(Clock.systemUTC());
    }

    public MemoryObjectStore(Clock clock) {
        this.clock = clock;
        for (StoreOperation operation : StoreOperation.values()) {
            requests.put(operation, new LongAdder());
        }
    }

    // ---- what tests set and ask

    /** At most this many entries in a page, whatever the request says. */
    public MemoryObjectStore pagesOf(int entries) {
        pageLimit = entries;
        return this;
    }

    /** Lists in an order that depends on the seed alone. */
    public MemoryObjectStore listsShuffled(long seed) {
        shuffle = OptionalLong.of(seed);
        return this;
    }

    /** Refuses to complete uploads with smaller parts, other than the last. */
    public MemoryObjectStore minimumPart(long bytes) {
        minimumPart = bytes;
        return this;
    }

    /** How many bytes at most arrive in a sink at once. */
    public MemoryObjectStore chunksOf(int bytes) {
        chunk = bytes;
        return this;
    }

    public StoredObject add(String key, byte[] bytes) {
        return add(key, Content.Bytes.of(bytes));
    }

    /** An object of computed bytes; see {@link Content.Ramp}. */
    public StoredObject addRamp(String key, long size, long seed) {
        return add(key, new Content.Ramp(size, seed));
    }

    public StoredObject add(String key, Content content) {
        StoredObject object = new StoredObject(key, content, clock.instant(), null, null, RestoreStatus.NOT_REQUESTED);
        objects.put(key, object);
        return object;
    }

    /** Changes how an object is archived. */
    public void archive(String key, @Nullable String storageClass, RestoreStatus restore) {
        objects.computeIfPresent(key, (_, object) -> object.withArchive(storageClass, restore));
    }

    public @Nullable StoredObject find(String key) {
        return objects.get(key);
    }

    public Collection<StoredObject> all() {
        return List.copyOf(objects.values());
    }

    public boolean hasUploadInProgress(String key) {
        return uploads.values().stream().anyMatch(each -> each.upload().key().equals(key));
    }

    public long requests(StoreOperation operation) {
        return count(operation).sum();
    }

    public long requests() {
        return requests.values().stream().mapToLong(LongAdder::sum).sum();
    }

    public void forgetRequests() {
        requests.values().forEach(LongAdder::reset);
    }

    // ---- the port

    @Override
    public ObjectInfo head(String key) throws StoreException {
        begin(StoreOperation.HEAD_OBJECT);
        return existing(StoreOperation.HEAD_OBJECT, key).info();
    }

    @Override
    public ListingPage list(ListRequest request) throws StoreException {
        begin(StoreOperation.LIST_OBJECTS);
        return MemoryListing.page(objects, request, pageLimit, shuffle);
    }

    @Override
    public GetAnswer get(GetRequest request, BodySink sink) throws StoreException {
        begin(StoreOperation.GET_OBJECT);
        StoredObject object = existing(StoreOperation.GET_OBJECT, request.key());
        if (request.version() != null
                && !request.version().equals(object.content().etag())) {
            throw failed(StoreOperation.GET_OBJECT, new StoreFailure.PreconditionFailed(), 412, "PreconditionFailed");
        }
        if (!object.info().isReadable()) {
            throw failed(StoreOperation.GET_OBJECT, new StoreFailure.Archived(), 403, "InvalidObjectState");
        }
        long size = object.content().size();
        if (request.isOfAnotherSize(size)) {
            throw failed(StoreOperation.GET_OBJECT, new StoreFailure.Integrity(), 206, "");
        }
        if (request.range().offset() >= size) {
            throw failed(StoreOperation.GET_OBJECT, new StoreFailure.RangeNotSatisfiable(), 416, "InvalidRange");
        }
        ByteRange range = ByteRange.between(
                request.range().offset(), Math.min(request.range().end(), size));
        GetAnswer answer = new GetAnswer(object.info(), range);
        sink.begin(answer);
        pour(object.content(), range, sink);
        return answer;
    }

    private void pour(Content content, ByteRange range, BodySink sink) throws StoreException {
        long at = range.offset();
        while (at < range.end()) {
            MemorySegment space = sink.space(at, range.end() - at);
            long usable = Math.min(space.byteSize(), range.end() - at);
            for (long filled = 0; filled < usable; ) {
                checkRunning(StoreOperation.GET_OBJECT);
                int count = (int) Math.min(chunk, usable - filled);
                content.read(at, space.asSlice(filled, count));
                filled += count;
                at += count;
                if (!sink.received(count)) {
                    return;
                }
            }
        }
    }

    @Override
    public ETag put(String key, Payload body, ObjectAttributes attributes, Condition condition) throws StoreException {
        begin(StoreOperation.PUT_OBJECT);
        return store(StoreOperation.PUT_OBJECT, key, bytesOf(body), attributes.contentType(), condition);
    }

    @Override
    public Upload createUpload(String key, ObjectAttributes attributes) throws StoreException {
        return createUpload("upload-", key, attributes);
    }

    private Upload createUpload(String kind, String key, ObjectAttributes attributes) throws StoreException {
        begin(StoreOperation.CREATE_UPLOAD);
        Upload upload = new Upload(key, kind + nextUpload.getAndIncrement(), UploadChecksum.OFF);
        uploads.put(upload.id(), MemoryUpload.begin(upload, attributes.contentType(), clock.instant()));
        return upload;
    }

    @Override
    public Upload createUploadWithCopies(String key, ObjectAttributes attributes) throws StoreException {
        return createUpload(WITH_COPIES, key, attributes);
    }

    @Override
    public UploadedPart uploadPart(Upload upload, int number, Payload body) throws StoreException {
        begin(StoreOperation.UPLOAD_PART);
        UploadedPart.checkNumber(number);
        return keepPart(running(StoreOperation.UPLOAD_PART, upload), number, bytesOf(body));
    }

    @Override
    public UploadedPart copyPart(Upload upload, int number, CopySource source, ByteRange range) throws StoreException {
        begin(StoreOperation.COPY_PART);
        UploadedPart.checkNumber(number);
        MemoryUpload running = running(StoreOperation.COPY_PART, upload);
        if (!upload.id().startsWith(WITH_COPIES)) {
            // Some stores refuse it only at the completion.
            throw failed(StoreOperation.COPY_PART, new StoreFailure.Rejected(), 400, "InvalidRequest");
        }
        Content content = source(StoreOperation.COPY_PART, source).content();
        if (range.end() > content.size()) {
            throw failed(StoreOperation.COPY_PART, new StoreFailure.Rejected(), 400, "InvalidRange");
        }
        byte[] bytes = new byte[Math.toIntExact(range.length())];
        content.read(range.offset(), MemorySegment.ofArray(bytes));
        return keepPart(running, number, Content.Bytes.of(bytes));
    }

    @Override
    public ETag completeUpload(Upload upload, List<UploadedPart> parts, Condition condition) throws StoreException {
        begin(StoreOperation.COMPLETE_UPLOAD);
        MemoryUpload running = running(StoreOperation.COMPLETE_UPLOAD, upload);
        Content.Bytes content = running.assemble(parts);
        if (parts.isEmpty() || content == null) {
            throw failed(StoreOperation.COMPLETE_UPLOAD, new StoreFailure.Rejected(), 400, "InvalidPart");
        }
        if (running.hasPartBelow(minimumPart, parts)) {
            throw failed(StoreOperation.COMPLETE_UPLOAD, new StoreFailure.Rejected(), 400, "EntityTooSmall");
        }
        ETag etag = store(StoreOperation.COMPLETE_UPLOAD, upload.key(), content, running.contentType(), condition);
        uploads.remove(upload.id());
        return etag;
    }

    @Override
    public void abortUpload(Upload upload) throws StoreException {
        begin(StoreOperation.ABORT_UPLOAD);
        uploads.remove(upload.id());
    }

    @Override
    public PendingUploads listUploads(String prefix, PendingUploads.@Nullable Marker after) throws StoreException {
        begin(StoreOperation.LIST_UPLOADS);
        List<PendingUploads.PendingUpload> found = uploads.values().stream()
                .filter(each -> each.upload().key().startsWith(prefix))
                .map(each -> new PendingUploads.PendingUpload(each.upload(), each.initiated()))
                .toList();
        return new PendingUploads(found, null);
    }

    @Override
    public void delete(String key) throws StoreException {
        begin(StoreOperation.DELETE_OBJECT);
        objects.remove(key);
    }

    @Override
    public ETag copy(CopySource source, String key, Condition condition) throws StoreException {
        begin(StoreOperation.COPY_OBJECT);
        StoredObject from = source(StoreOperation.COPY_OBJECT, source);
        return store(StoreOperation.COPY_OBJECT, key, from.content(), from.contentType(), condition);
    }

    @Override
    public void close() {
        closed = true;
    }

    // ---- inside

    private void begin(StoreOperation operation) throws StoreException {
        checkRunning(operation);
        count(operation).increment();
    }

    private LongAdder count(StoreOperation operation) {
        return Objects.requireNonNull(requests.get(operation));
    }

    private void checkRunning(StoreOperation operation) throws StoreException {
        if (closed || Thread.currentThread().isInterrupted()) {
            throw new StoreException(
                    new StoreFailure.Cancelled(),
                    operation,
                    StoreException.Answer.NONE,
                    operation.label() + " was cancelled");
        }
    }

    private StoredObject existing(StoreOperation operation, String key) throws StoreException {
        StoredObject object = objects.get(key);
        if (object == null) {
            throw failed(operation, new StoreFailure.NoSuchKey(key), 404, "NoSuchKey");
        }
        return object;
    }

    private StoredObject source(StoreOperation operation, CopySource source) throws StoreException {
        StoredObject object = existing(operation, source.key());
        if (!object.content().etag().equals(source.etag())) {
            throw failed(operation, new StoreFailure.PreconditionFailed(), 412, "PreconditionFailed");
        }
        return object;
    }

    private MemoryUpload running(StoreOperation operation, Upload upload) throws StoreException {
        MemoryUpload running = uploads.get(upload.id());
        if (running == null) {
            throw failed(operation, new StoreFailure.NoSuchUpload(upload.key()), 404, "NoSuchUpload");
        }
        return running;
    }

    private static UploadedPart keepPart(MemoryUpload upload, int number, Content.Bytes bytes) {
        upload.parts().put(number, bytes);
        return new UploadedPart(number, bytes.size(), bytes.etag(), null);
    }

    private ETag store(
            StoreOperation operation, String key, Content content, @Nullable String contentType, Condition condition)
            throws StoreException {
        StoredObject made =
                new StoredObject(key, content, clock.instant(), contentType, null, RestoreStatus.NOT_REQUESTED);
        boolean[] held = {false};
        objects.compute(key, (_, present) -> {
            held[0] = holds(condition, present);
            return held[0] ? made : present;
        });
        if (!held[0]) {
            throw failed(operation, new StoreFailure.PreconditionFailed(), 412, "PreconditionFailed");
        }
        return content.etag();
    }

    private static boolean holds(Condition condition, @Nullable StoredObject present) {
        return switch (condition) {
            case Condition.None() -> true;
            case Condition.Absent() -> present == null;
            case Condition.Matches(ETag etag) ->
                present != null && present.content().etag().equals(etag);
        };
    }

    private static Content.Bytes bytesOf(Payload body) {
        byte[] bytes = new byte[Math.toIntExact(body.size())];
        MemorySegment whole = MemorySegment.ofArray(bytes);
        long at = 0;
        for (MemorySegment segment : body.segments()) {
            MemorySegment.copy(segment, 0, whole, at, segment.byteSize());
            at += segment.byteSize();
        }
        return Content.Bytes.of(bytes);
    }

    private static StoreException failed(StoreOperation operation, StoreFailure failure, int status, String code) {
        return new StoreException(
                failure,
                operation,
                new StoreException.Answer(status, code, "", "memory"),
                operation.label() + " failed with " + code);
    }
}
