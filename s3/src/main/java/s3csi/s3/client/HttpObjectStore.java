package s3csi.s3.client;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.UploadedPart;
import s3csi.s3.checksum.Checksums;

/** A bucket behind an S3 endpoint. */
public final class HttpObjectStore implements ObjectStore {
    private final HttpStoreOptions options;
    private final Router router;
    private final CallSender dispatcher;
    private final RequestRunner runner;
    private final ErrorClassifier errors;
    private final LostAnswers lostAnswers;
    private final BodySigning signing;
    private final UploadProtection protection;

    /** Opens no connection yet: whether the endpoint is any good shows with the first request. */
    public HttpObjectStore(HttpStoreOptions options) {
        this.options = options;
        this.router = new Router(options);
        this.dispatcher = new CallSender(options);
        this.runner = new RequestRunner(options, router, dispatcher);
        this.errors = new ErrorClassifier(options.bucket);
        this.lostAnswers = new LostAnswers(runner);
        this.signing = new BodySigning(options.bucket, options.clock);
        this.protection = new UploadProtection(options.bucket, options.uploadChecksum, options.clock);
    }

    /**
     * Asks whether objects below the prefix may be listed, before anybody depends on it.
     *
     * @param within no attempt begins later, and none waits longer for its answer
     */
    public void check(String prefix, Duration within) throws StoreException {
        runner.runImpatiently(new FirstLook(prefix, router.route().endpoint().isAws(), within));
    }

    @Override
    public ObjectInfo head(String key) throws StoreException {
        return runner.run(new HeadCall(key));
    }

    @Override
    public ListingPage list(ListRequest request) throws StoreException {
        // Some stores walk over many keys that they do not show before they answer.
        Duration patience = options.timeouts.firstByte().multipliedBy(2);
        return runner.run(
                new ListCall(request, patience, router.route().endpoint().isAws()));
    }

    @Override
    public GetAnswer get(GetRequest request, BodySink sink) throws StoreException {
        return runner.run(new GetCall(request, sink));
    }

    @Override
    public ETag put(String key, Payload body, ObjectAttributes attributes, Condition condition) throws StoreException {
        NewObject object = NewObject.of(attributes, options);
        return signing.send(
                body,
                isSecure(),
                hash -> protection.send(checksum -> runner.run(new PutCall(
                        key, body, hash, BodyProtection.of(checksum, body), object, condition, lostAnswers))));
    }

    @Override
    public Upload createUpload(String key, ObjectAttributes attributes) throws StoreException {
        NewObject object = NewObject.of(attributes, options);
        return protection.send(checksum -> runner.run(new CreateUploadCall(key, checksum, object, errors)));
    }

    @Override
    public Upload createUploadWithCopies(String key, ObjectAttributes attributes) throws StoreException {
        UploadChecksum checksum =
                options.uploadChecksum == UploadChecksum.OFF ? UploadChecksum.OFF : UploadChecksum.MD5;
        return runner.run(new CreateUploadCall(key, checksum, NewObject.of(attributes, options), errors));
    }

    @Override
    public UploadedPart uploadPart(Upload upload, int number, Payload body) throws StoreException {
        UploadedPart.checkNumber(number);
        return signing.send(
                body,
                isSecure(),
                hash -> protection.send(
                        upload.checksum(),
                        checksum -> runner.run(
                                new UploadPartCall(upload, number, body, hash, BodyProtection.of(checksum, body)))));
    }

    @Override
    public UploadedPart copyPart(Upload upload, int number, CopySource source, ByteRange range) throws StoreException {
        UploadedPart.checkNumber(number);
        return runner.run(new CopyPartCall(options.bucket, upload, number, source, range, errors));
    }

    @Override
    public ETag completeUpload(Upload upload, List<UploadedPart> parts, Condition condition) throws StoreException {
        byte[] document = CompleteUploadCall.document(upload, parts).getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            Payload body = Payload.of(arena.allocateFrom(ValueLayout.JAVA_BYTE, document));
            return runner.run(new CompleteUploadCall(
                    upload, List.copyOf(parts), body, Checksums.sha256Hex(body), condition, errors, lostAnswers));
        }
    }

    @Override
    public void abortUpload(Upload upload) throws StoreException {
        try {
            runner.run(new RemoveCall(upload.key(), upload.id()));
        } catch (StoreException e) {
            if (!(e.failure() instanceof StoreFailure.NoSuchUpload)) {
                throw e;
            }
        }
    }

    @Override
    public PendingUploads listUploads(String prefix, PendingUploads.@Nullable Marker after) throws StoreException {
        return runner.run(new ListUploadsCall(prefix, after));
    }

    @Override
    public void delete(String key) throws StoreException {
        try {
            runner.run(new RemoveCall(key, null));
        } catch (StoreException e) {
            if (!(e.failure() instanceof StoreFailure.NoSuchKey)) {
                throw e;
            }
        }
    }

    @Override
    public ETag copy(CopySource source, String key, Condition condition) throws StoreException {
        NewObject object = NewObject.of(ObjectAttributes.DEFAULTS, options);
        return runner.run(new CopyCall(options.bucket, source, key, object, condition, errors, lostAnswers));
    }

    private boolean isSecure() {
        return router.route().endpoint().origin().isSecure();
    }

    /** How far the store's clock is ahead of this machine's; zero as long as it did not matter. */
    public Duration clockOffset() {
        return dispatcher.clockOffset();
    }

    /** The region that requests are signed for, given or learnt. */
    public String region() {
        return router.route().region();
    }

    @Override
    public void close() {
        router.close();
        runner.close();
    }
}
