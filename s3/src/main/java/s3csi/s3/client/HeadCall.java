package s3csi.s3.client;

import java.io.IOException;
import java.net.ProtocolException;
import s3csi.s3.ObjectInfo;
import s3csi.s3.StoreOperation;
import s3csi.s3.http.HttpExchange;

/** HeadObject. */
record HeadCall(String key) implements Call<ObjectInfo> {
    @Override
    public StoreOperation operation() {
        return StoreOperation.HEAD_OBJECT;
    }

    @Override
    public S3Request request() {
        return S3Request.onObject("HEAD", key);
    }

    @Override
    public ObjectInfo accept(HttpExchange exchange) throws IOException {
        ObjectInfo info = ObjectHeaders.info(exchange.head(), key, ObjectHeaders.length(exchange.head()));
        if (info.etag() == null) {
            // Gateways over a file system have none for files that were put there by other means.
            throw new ProtocolException(
                    "the answer has no ETag, so versions of the object cannot be told apart; store it by S3 once more");
        }
        return info;
    }
}
