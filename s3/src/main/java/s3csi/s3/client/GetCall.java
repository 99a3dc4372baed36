package s3csi.s3.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.ETag;
import s3csi.s3.GetAnswer;
import s3csi.s3.GetRequest;
import s3csi.s3.ObjectInfo;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.client.AttemptFailure.Remedy;
import s3csi.s3.http.HttpExchange;

/**
 * GetObject. Keeps its place between attempts: an attempt that breaks off has delivered what it has delivered, and the next one
 * asks for the rest of the same version.
 */
final class GetCall implements Call<GetAnswer> {
    /** So much must arrive before a new connection counts as progress; a server that sends less does not get endless attempts. */
    private static final long PROGRESS = 4096;

    private static final ByteBuffer NO_SPACE = ByteBuffer.allocate(0);

    private final GetRequest wanted;
    private final BodySink sink;
    private @Nullable GetAnswer answer;
    private @Nullable BodyChecksum checksum;
    private ByteBuffer space = NO_SPACE;
    private long delivered;
    private long deliveredWhenAsked;

    GetCall(GetRequest wanted, BodySink sink) {
        this.wanted = wanted;
        this.sink = sink;
    }

    @Override
    public StoreOperation operation() {
        return StoreOperation.GET_OBJECT;
    }

    @Override
    public String key() {
        return wanted.key();
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onObject("GET", wanted.key()).header("range", rest().header());
        ETag version = version();
        if (version != null) {
            request.header("if-match", version.quoted());
        }
        if (wanted.range().offset() == 0 && delivered == 0) {
            request.header("x-amz-checksum-mode", "ENABLED");
        }
        return request;
    }

    private ByteRange rest() {
        return (answer == null ? wanted.range() : answer.range()).skip(delivered);
    }

    /** The version asked for, or else the one that the first bytes came from. */
    private @Nullable ETag version() {
        return wanted.version() != null || answer == null
                ? wanted.version()
                : answer.object().etag();
    }

    @Override
    public boolean hasProgressed() {
        boolean progressed = delivered - deliveredWhenAsked >= PROGRESS;
        deliveredWhenAsked = delivered;
        return progressed;
    }

    @Override
    public GetAnswer accept(HttpExchange exchange) throws IOException, AttemptFailure {
        ContentRange content = checkedRange(exchange);
        ObjectInfo object = ObjectHeaders.info(exchange.head(), wanted.key(), content.total());
        checkVersion(object);
        if (wanted.isOfAnotherSize(object.size())) {
            throw AttemptFailure.integrity("the object has " + object.size() + " bytes, and " + wanted.size()
                    + " under the same ETag before; it may have been replaced without a new one");
        }
        GetAnswer known = answer;
        if (known == null) {
            known = new GetAnswer(object, Objects.requireNonNull(content.range()));
            answer = known;
            if (known.range().length() == object.size()) {
                checksum = BodyChecksum.announcedIn(exchange.head());
            }
            sink.begin(known);
        } else if (known.object().size() != object.size()) {
            throw AttemptFailure.integrity("the object changed its size without changing its version");
        }
        pour(exchange, known.range());
        return known;
    }

    private ContentRange checkedRange(HttpExchange exchange) throws AttemptFailure {
        ContentRange content = ContentRange.of(exchange.head());
        if (content == null) {
            throw AttemptFailure.integrity("the answer does not say which bytes it holds");
        }
        if (content.range() == null) {
            throw new AttemptFailure(
                    new StoreFailure.RangeNotSatisfiable(), Remedy.NONE, ErrorAnswer.NONE, "the object is empty", null);
        }
        ByteRange expected = rest();
        long end = Math.min(expected.end(), content.total());
        if (content.range().offset() != expected.offset() || content.range().end() != end) {
            throw AttemptFailure.integrity("asked for bytes " + expected.offset() + " to " + end
                    + " of the object, the store" + " sent bytes "
                    + content.range().offset() + " to " + content.range().end());
        }
        return content;
    }

    private void checkVersion(ObjectInfo object) throws AttemptFailure {
        ETag version = version();
        if (version != null && object.etag() != null && !version.equals(object.etag())) {
            throw new AttemptFailure(
                    new StoreFailure.PreconditionFailed(),
                    Remedy.NONE,
                    ErrorAnswer.NONE,
                    "the object changed while it was read, and the store sent the new version without being asked",
                    null);
        }
    }

    private void pour(HttpExchange exchange, ByteRange range) throws IOException, AttemptFailure {
        while (delivered < range.length()) {
            if (!space.hasRemaining()) {
                space = nextSpace(range);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted");
            }
            int start = space.position();
            int count = exchange.body().read(space);
            if (count < 0) {
                throw new EOFException("the answer ended before its range was complete");
            }
            if (checksum != null) {
                checksum.update(space.duplicate().flip().position(start));
            }
            delivered += count;
            if (!sink.received(count)) {
                exchange.abort();
                return;
            }
        }
        if (checksum != null && !checksum.matches()) {
            throw AttemptFailure.integrity("the checksum of the object does not match its bytes");
        }
    }

    private ByteBuffer nextSpace(ByteRange range) {
        long remaining = range.length() - delivered;
        MemorySegment segment = sink.space(range.offset() + delivered, remaining);
        if (!segment.isNative() || segment.byteSize() == 0) {
            throw new IllegalArgumentException("a sink must give native memory that is not empty, not " + segment);
        }
        return segment.asSlice(0, Math.min(segment.byteSize(), remaining)).asByteBuffer();
    }
}
