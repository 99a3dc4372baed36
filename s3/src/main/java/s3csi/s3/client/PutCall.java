package s3csi.s3.client;

import java.io.IOException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreOperation;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.http.HttpExchange;

/** PutObject. */
record PutCall(
        String key,
        Payload body,
        @Nullable String bodyHash,
        BodyProtection protection,
        NewObject object,
        Condition condition,
        LostAnswers lostAnswers)
        implements Call<ETag> {
    @Override
    public StoreOperation operation() {
        return StoreOperation.PUT_OBJECT;
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onObject("PUT", key).body(body, bodyHash).condition(condition);
        protection.addTo(request);
        return object.describe(request);
    }

    @Override
    public ETag accept(HttpExchange exchange) throws IOException, AttemptFailure {
        object.checkEncryption(exchange.head());
        return Results.etag(exchange);
    }

    @Override
    public @Nullable ETag recover(StoreException failure) throws StoreException {
        return lostAnswers.find(failure, key, () -> new ETag(HexFormat.of().formatHex(Checksums.md5(body))));
    }
}
