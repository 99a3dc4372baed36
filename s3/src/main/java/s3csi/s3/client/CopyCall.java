package s3csi.s3.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Condition;
import s3csi.s3.CopySource;
import s3csi.s3.ETag;
import s3csi.s3.StoreException;
import s3csi.s3.StoreOperation;
import s3csi.s3.http.HttpExchange;

/** CopyObject. */
record CopyCall(
        String bucket,
        CopySource source,
        String key,
        NewObject object,
        Condition condition,
        ErrorClassifier errors,
        LostAnswers lostAnswers)
        implements Call<ETag> {
    @Override
    public StoreOperation operation() {
        return StoreOperation.COPY_OBJECT;
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onObject("PUT", key).condition(condition);
        return object.describe(CopyHeaders.from(request, bucket, source));
    }

    @Override
    public ETag accept(HttpExchange exchange) throws IOException, AttemptFailure {
        object.checkEncryption(exchange.head());
        return Results.etag(Results.read(exchange, operation(), key, errors));
    }

    @Override
    public @Nullable ETag recover(StoreException failure) throws StoreException {
        return lostAnswers.find(failure, key, source::etag);
    }
}
